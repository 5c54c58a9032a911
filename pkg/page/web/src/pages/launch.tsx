/** The page "Launch a token". */
export function Page() {
  return <h1>Launch a token</h1>;
}
