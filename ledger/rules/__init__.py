"""The pure part of the ledger's proofs: standard library only, no database, no clock, no keys.

``canonical`` says which bytes are hashed, ``merkle`` how hashes become trees and
paths, ``receipt`` how somebody who trusts nobody checks one transaction offline.
"""
