@rem The shell of npm's scripts on Windows has no exec, which lets signals reach the program elsewhere.
@%*
