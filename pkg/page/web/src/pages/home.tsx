/** The page "Tokens". */
export function Page() {
  return <h1>Tokens</h1>;
}
