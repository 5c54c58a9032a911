import createClient from 'openapi-fetch'
import type { paths } from './schema'

const { API, TOKEN, UNKNOWN, IMAGE, WALLET } = process.env as Record<string, string>

async function main() {
  const client = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${TOKEN}` } })
  const listed = await client.GET('/tokens')
  const missing = await client.GET('/tokens/{mintAddress}', { params: { path: { mintAddress: UNKNOWN } } })
  const created = await client.POST('/tokens/create-unsigned', {
    body: {
      name: 'Generated', symbol: 'GEN', imageUri: IMAGE, walletId: WALLET,
      transferFeePercent: 2.5, decimals: 6, supply: '1000000000000',
    },
  })
  console.log(listed.data?.tokens[0].mintAddress, missing.error?.code, created.data?.transactionId)
}

main()
