# The version before still runs; what an administrator had disabled launchd itself remembers.
stop_processes
