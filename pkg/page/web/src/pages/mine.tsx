/** The page "My tokens". */
export function Page() {
  return <h1>My tokens</h1>;
}
