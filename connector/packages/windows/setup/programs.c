/* Programs that the installer runs as the system: without a window, because the signed-in user could act as the system through it. */
#include "setup.h"

void run_hidden(wchar_t *command) {
  STARTUPINFOW startup = { .cb = sizeof startup };
  PROCESS_INFORMATION process;
  if (!CreateProcessW(NULL, command, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &startup, &process)) return;
  WaitForSingleObject(process.hProcess, INFINITE);
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
}

UINT __stdcall RunHidden(MSIHANDLE installation) {
  static wchar_t command[MAX_DATA];
  read_property(installation, L"CustomActionData", command, MAX_DATA);
  if (*command) run_hidden(command);
  return ERROR_SUCCESS;
}
