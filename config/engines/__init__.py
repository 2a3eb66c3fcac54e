"""The embedded engines: PostgreSQL and Valkey from wheels, as unprivileged children of the server.

Their data stay when the server stops, however it stops. What an earlier server left behind (processes, sockets, lock
files) is recognised by the data folder it uses and put away before a new engine starts.
"""
