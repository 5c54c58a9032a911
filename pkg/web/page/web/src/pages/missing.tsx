/** The page "There is no such page". */
export function Page() {
  return <h1>There is no such page</h1>;
}
