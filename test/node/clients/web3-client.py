"""Asks a node for everything that needs an account, as a user of web3.py does; prints one JSON object with what came of it."""

import json
import sys

from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from web3 import Web3



class SignerProvider(Web3.HTTPProvider):
    """The signer itself: it knows the call under the name that prlx's external signer has."""

    def make_request(self, method, params):
        names = {"eth_signTransaction": "account_signTransaction"}
        return super().make_request(names.get(method, method), params)


url, signer_url, account, receiver = sys.argv[1:]
w3 = Web3(Web3.HTTPProvider(url, request_kwargs={"timeout": 120}))
account = Web3.to_checksum_address(account)
receiver = Web3.to_checksum_address(receiver)
price = w3.to_wei(1, "gwei")
transfer = {"from": account, "to": receiver, "value": 1, "gas": 21000, "gasPrice": price}

document = {
    "types": {
        "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "chainId", "type": "uint256"}],
        "Mail": [{"name": "to", "type": "address"}, {"name": "text", "type": "string"}],
    },
    "primaryType": "Mail",
    "domain": {"name": "Mail", "chainId": 1337},
    "message": {"to": receiver, "text": "hello"},
}

# web3.py's own sign_transaction wants the object that the signer answers; the node answers the bytes alone, as the execution API's
# definition says and other libraries expect.
wanted = {**transfer, **{name: hex(transfer[name]) for name in ("value", "gas", "gasPrice")}, "nonce": "0x0"}
signed = w3.provider.make_request("eth_signTransaction", [wanted])["result"]
by_signer = Web3(SignerProvider(signer_url, request_kwargs={"timeout": 120})).eth.sign_transaction(
    {**transfer, "nonce": 5, "chainId": w3.eth.chain_id}
)
text = w3.eth.sign(account, text="hello")
typed = w3.eth.sign_typed_data(account, document)
sent = w3.eth.send_transaction(transfer)

print(
    json.dumps(
        {
            "chainId": w3.eth.chain_id,
            "accounts": w3.eth.accounts,
            "transactionBy": Account.recover_transaction(signed),
            "transactionBySigner": Account.recover_transaction(by_signer["raw"]),
            "signersObject": {name: by_signer["tx"][name] for name in ("type", "nonce", "gas", "gasPrice", "value", "to")},
            "signersHash": Web3.keccak(by_signer["raw"]) == by_signer["tx"]["hash"],
            "textBy": Account.recover_message(encode_defunct(text="hello"), signature=text),
            "typedBy": Account.recover_message(encode_typed_data(full_message=document), signature=typed),
            "pending": w3.eth.get_transaction(sent)["hash"].to_0x_hex() == sent.to_0x_hex(),
        }
    )
)
