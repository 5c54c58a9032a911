/** The page "Token". */
export function Page() {
  return <h1>Token</h1>;
}
