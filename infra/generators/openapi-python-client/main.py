import os
from uuid import UUID

from client import AuthenticatedClient
from client.api.launch import create_unsigned_token
from client.api.tokens import get_token, list_tokens
from client.models import GetTokenResponse404, TokenCreation, TokenCreationDecimals, TokenList, UnsignedToken

with AuthenticatedClient(base_url=os.environ["API"], token=os.environ["TOKEN"]) as client:
    listed = list_tokens.sync(client=client)
    assert isinstance(listed, TokenList), listed
    missing = get_token.sync(os.environ["UNKNOWN"], client=client)
    assert isinstance(missing, GetTokenResponse404), missing
    created = create_unsigned_token.sync(
        client=client,
        body=TokenCreation(
            name="Generated",
            symbol="GEN",
            image_uri=os.environ["IMAGE"],
            wallet_id=UUID(os.environ["WALLET"]),
            transfer_fee_percent=2.5,
            decimals=TokenCreationDecimals.VALUE_6,
            supply="1000000000000",
        ),
    )
    assert isinstance(created, UnsignedToken), created
print(listed.tokens[0].mint_address, missing.code, created.transaction_id)
