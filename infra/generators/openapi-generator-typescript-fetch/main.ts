import { Configuration, LaunchApi, ProblemFromJSON, ResponseError, TokensApi } from './client'

const { API, TOKEN, UNKNOWN, IMAGE, WALLET } = process.env as Record<string, string>

async function main() {
  const configuration = new Configuration({ basePath: API, accessToken: TOKEN })
  const tokens = new TokensApi(configuration)
  const listed = await tokens.listTokens()
  // This generator leaves the body of an error unread.
  const missing = await tokens.getToken({ mintAddress: UNKNOWN }).catch(async (error) => {
    if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json())
    throw error
  })
  const created = await new LaunchApi(configuration).createUnsignedToken({
    tokenCreation: {
      name: 'Generated', symbol: 'GEN', imageUri: IMAGE, walletId: WALLET,
      transferFeePercent: 2.5, decimals: 6, supply: '1000000000000',
    },
  })
  console.log(listed.tokens[0].mintAddress, 'code' in missing && missing.code, created.transactionId)
}

main()
