import os

import client

configuration = client.Configuration(host=os.environ["API"], access_token=os.environ["TOKEN"])
with client.ApiClient(configuration) as api:
    tokens = client.TokensApi(api)
    listed = tokens.list_tokens()
    try:
        tokens.get_token(os.environ["UNKNOWN"])
    except client.exceptions.NotFoundException as missing:
        code = missing.data.code
    created = client.LaunchApi(api).create_unsigned_token(
        client.TokenCreation(
            name="Generated",
            symbol="GEN",
            image_uri=os.environ["IMAGE"],
            wallet_id=os.environ["WALLET"],
            transfer_fee_percent=2.5,
            decimals=6,
            supply="1000000000000",
        )
    )
print(listed.tokens[0].mint_address, code, created.transaction_id)
