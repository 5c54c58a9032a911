import { createUnsignedToken, getToken, listTokens } from './client'
import { client } from './client/client.gen'

const { API, TOKEN, UNKNOWN, IMAGE, WALLET } = process.env as Record<string, string>

async function main() {
  client.setConfig({ baseUrl: API, auth: TOKEN })
  const listed = await listTokens()
  const missing = await getToken({ path: { mintAddress: UNKNOWN } })
  const created = await createUnsignedToken({
    body: {
      name: 'Generated', symbol: 'GEN', imageUri: IMAGE, walletId: WALLET,
      transferFeePercent: 2.5, decimals: 6, supply: '1000000000000',
    },
  })
  console.log(listed.data?.tokens[0].mintAddress, missing.error?.code, created.data?.transactionId)
}

main()
