#!/usr/bin/env python3
"""Your rigs as an Ansible inventory: ansible-playbook -i headframe_inventory.py ...

Runs `headframe rigs list --json`. HEADFRAME names the program, HEADFRAME_RIG_FILE the rig file. Each label is a group
(`group_cellar`), and so are `rigs_online` and `rigs_offline`. Only numbers reported by rigs become variables: Ansible expands
templates, and text from another computer could contain one.
"""
import json
import os
import re
import subprocess
import sys


def rigs():
    program = [os.environ.get("HEADFRAME", "headframe"), "rigs", "list", "--json"]
    # With exit code 1 a rig is offline, but the output is complete.
    asked = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=False)
    if asked.returncode not in (0, 1) or not asked.stdout.startswith("["):
        sys.exit(f"headframe rigs list exited with {asked.returncode}")
    return json.loads(asked.stdout)


def word(text):
    """A name that Ansible accepts."""
    return re.sub(r"[^A-Za-z0-9_]", "_", text)


def variables(rig):
    host = re.sub(r":\d+$", "", rig["host"]).strip("[]")
    own = {"headframe_rig": rig["name"], "headframe_online": rig["online"], "ansible_host": host}
    figures = rig["figures"]
    if figures is None:
        return own
    # A GPU that doesn't report its power has 0.
    unmetered = sum(not gpu["powerWatts"] > 0 for gpu in figures["gpus"])
    watts = float(figures["powerWatts"])
    return {
        **own,
        "headframe_hashrate": float(figures["hashrate"]["s60"]),
        **({"headframe_power_watts": watts} if watts > 0 else {}),
        "headframe_gpus": len(figures["gpus"]),
        "headframe_gpus_paused": sum(gpu["paused"] is True for gpu in figures["gpus"]),
        "headframe_gpus_unmetered": unmetered,
    }


def inventory():
    hosts, groups = {}, {"rigs_online": [], "rigs_offline": []}
    meanings = dict.fromkeys(groups, "whether a rig answers")
    for rig in rigs():
        name = word(rig["name"])
        while name in hosts:
            name += "_"
        hosts[name] = variables(rig)
        groups["rigs_online" if rig["online"] else "rigs_offline"].append(name)
        for label, value in rig["labels"].items():
            group, meaning = f"{word(label)}_{word(value)}", f"{label}={value}"
            if meanings.setdefault(group, meaning) != meaning:
                sys.exit(f"the group {group} means both {meanings[group]} and {meaning}: rename one")
            groups.setdefault(group, []).append(name)
    return {**{group: {"hosts": names} for group, names in groups.items()}, "_meta": {"hostvars": hosts}}


if sys.argv[1:] == ["--list"]:
    print(json.dumps(inventory()))
elif len(sys.argv) == 3 and sys.argv[1] == "--host":
    print(json.dumps({}))  # all variables are in _meta
else:
    sys.exit("want --list or --host NAME")
