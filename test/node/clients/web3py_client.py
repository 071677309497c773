"""What a user of web3.py 8 does, on a node; prints one JSON object. Arguments: HTTP, WebSocket, private key, poa for such a chain."""

import asyncio
import json
import pathlib
import sys

from eth_account import Account
from eth_account.messages import encode_defunct
from web3 import AsyncWeb3, Web3, WebSocketProvider
from web3.exceptions import Web3Exception
from web3.middleware import ExtraDataToPOAMiddleware

http, ws, key, *kind = sys.argv[1:]
probe = json.loads((pathlib.Path(__file__).parent / "probe.json").read_text())
w3 = Web3(Web3.HTTPProvider(http, request_kwargs={"timeout": 120}))
if kind == ["poa"]:
    w3.middleware_onion.inject(ExtraDataToPOAMiddleware, layer=0)
account = Account.from_key(key)
# The chain has no base fee, so web3.py needs an explicit price.
price = w3.eth.gas_price


def hexed(value):
    return Web3.to_hex(value)


def wait(sent):
    return w3.eth.wait_for_transaction_receipt(sent, timeout=120, poll_latency=0.05)


def transact(call, **fields):
    made = {"from": account.address, "nonce": w3.eth.get_transaction_count(account.address, "pending"), **fields}
    made.setdefault("gasPrice", price)
    built = call.build_transaction(made)
    return wait(w3.eth.send_raw_transaction(account.sign_transaction(built).raw_transaction))


def fault_of(call):
    try:
        call()
    except (Web3Exception, ValueError) as error:
        return [type(error).__name__, getattr(error, "message", None), getattr(error, "data", None)]
    return None


async def listen(address, ready, found):
    async with AsyncWeb3(WebSocketProvider(ws)) as listener:
        if kind == ["poa"]:
            listener.middleware_onion.inject(ExtraDataToPOAMiddleware, layer=0)
        await listener.eth.subscribe("logs", {"address": address})
        await listener.eth.subscribe("newHeads")
        ready.set()
        seen = {}
        async for message in listener.socket.process_subscriptions():
            result = message["result"]
            seen.setdefault("data" if "data" in result else "number", result.get("data", result.get("number")))
            if len(seen) == 2:
                found.update(told=hexed(seen["data"]), head=seen["number"] is not None)
                return


async def main():
    deployment = transact(w3.eth.contract(abi=probe["abi"], bytecode=probe["code"]).constructor(7))
    address = deployment["contractAddress"]
    contract = w3.eth.contract(address=address, abi=probe["abi"])
    calls = contract.functions
    before = calls.held().call()
    ready, found = asyncio.Event(), {}
    listening = asyncio.create_task(listen(address, ready, found))
    await asyncio.wait_for(ready.wait(), 60)
    news = contract.events.Stored.create_filter(from_block="latest")
    request = {"from": account.address, "to": address, "gas": 100000, "data": calls.store(8).build_transaction({"gas": 1, "gasPrice": 1})["data"]}
    listed = w3.eth.create_access_list(request)
    stored = await asyncio.to_thread(transact, calls.store(8))
    keys = [{"address": entry["address"], "storageKeys": list(entry["storageKeys"])} for entry in listed["accessList"]]
    with_list = transact(calls.store(9), type=1, accessList=keys)
    changes = news.get_new_entries()
    events = contract.events.Stored.get_logs(from_block=0)
    failed = transact(calls.failText(), gas=60000)
    await asyncio.wait_for(listening, 60)
    pending = w3.eth.get_block("pending")
    print(
        json.dumps(
            {
                "chainId": w3.eth.chain_id,
                "contract": address,
                "deployed": [deployment["status"], deployment["gasUsed"]],
                "code": hexed(w3.eth.get_code(address)),
                "before": before,
                "after": calls.held().call(),
                "estimate": calls.store(3).estimate_gas({"from": account.address}),
                "listed": [keys, listed["gasUsed"]],
                "stored": [stored["status"], stored["type"], stored["gasUsed"], [hexed(log["data"]) for log in stored["logs"]]],
                "withList": [with_list["status"], with_list["type"], with_list["gasUsed"]],
                "changes": [entry["args"]["value"] for entry in changes],
                "events": [entry["args"]["value"] for entry in events],
                "failed": [failed["status"], failed["gasUsed"]],
                "faults": [
                    fault_of(lambda: calls.failText().call()),
                    fault_of(lambda: calls.failOdd(3).call()),
                    fault_of(lambda: calls.failPanic().call()),
                    fault_of(lambda: calls.failOdd(5).estimate_gas({"from": account.address})),
                ],
                **found,
                "nonce": w3.eth.get_transaction_count(account.address),
                "pending": [type(pending["number"]).__name__, pending["hash"]],
                "signed": hexed(account.sign_message(encode_defunct(text="hello")).signature),
            }
        )
    )


asyncio.run(main())
