/* Runs the connector beside this program, and again when it has ended unexpectedly. */
#include <windows.h>

struct supervision {
  /* What the connector is asked to do. */
  const wchar_t *arguments;
  /* Signalled when it is to end; NULL: never. */
  HANDLE stop;
  /* Bytes that it and its children may have of the memory; 0: no limit. */
  SIZE_T memory;
  /* Whether it is started again also when it has ended without an error. */
  BOOL restarts_after_success;
};

/* Returns the exit code of an end that is to be final, 0 after `stop`. */
DWORD supervise(const struct supervision *wanted);

/* Starts the connector without a console, suspended; FALSE when it cannot be started. */
BOOL start_connector(const wchar_t *arguments, PROCESS_INFORMATION *process);
