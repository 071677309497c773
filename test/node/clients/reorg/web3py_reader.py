"""What a user of web3.py 8 reads of the question's blocks; prints one JSON object. Arguments: HTTP, the question as JSON."""

import json
import sys

from web3 import Web3
from web3.exceptions import TransactionNotFound

http, text = sys.argv[1:]
question = json.loads(text)
w3 = Web3(Web3.HTTPProvider(http, request_kwargs={"timeout": 120}))
hexed = Web3.to_hex


def shown(log):
    return [hexed(log.blockHash), hexed(log.transactionHash), log.logIndex, log.removed]


def receipt_of(name):
    try:
        found = w3.eth.get_transaction_receipt(name)
    except TransactionNotFound:
        return None
    return [hexed(found.blockHash), found.status, found.gasUsed, len(found.logs)]


def block_of(number):
    found = w3.eth.get_block(number)
    return [number, hexed(found.hash), hexed(found.parentHash), [hexed(name) for name in found.transactions]]


kept = w3.eth.filter({}) if question["filter"] is None else w3.eth.filter(filter_id=question["filter"])
last = w3.eth.block_number
print(
    json.dumps(
        {
            "filter": kept.filter_id,
            "last": last,
            "blocks": [block_of(number) for number in range(question["from"], last + 1)],
            "receipts": [receipt_of(name) for name in question["transactions"]],
            "logs": [shown(log) for log in w3.eth.get_logs({"fromBlock": question["from"], "toBlock": "latest"})],
            "changes": [shown(log) for log in kept.get_new_entries()],
        }
    )
)
