/*
 * cardwire-service.exe, a program without a console:
 *   service  the registry of the machine, as the service manager starts it
 *   agent    the connector of a user, once in each session
 *   open     the page of the connector
 */
#include "supervise.h"
#include <shlobj.h>
#include <wchar.h>

static SERVICE_STATUS_HANDLE manager;
static SERVICE_STATUS status = { .dwServiceType = SERVICE_WIN32_OWN_PROCESS };
static HANDLE stop;

static void report(DWORD state) {
  status.dwCurrentState = state;
  status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_SHUTDOWN : 0;
  /* Longer than its end may take. */
  status.dwWaitHint = state == SERVICE_STOP_PENDING ? 15000 : 0;
  SetServiceStatus(manager, &status);
}

static DWORD WINAPI control(DWORD code, DWORD type, void *data, void *context) {
  (void)type, (void)data, (void)context;
  if (code == SERVICE_CONTROL_INTERROGATE) return NO_ERROR;
  if (code != SERVICE_CONTROL_STOP && code != SERVICE_CONTROL_SHUTDOWN) return ERROR_CALL_NOT_IMPLEMENTED;
  report(SERVICE_STOP_PENDING);
  SetEvent(stop);
  return NO_ERROR;
}

/* The folder that the installer has made: the environment may name another one. */
static void name_folder(void) {
  wchar_t folder[MAX_PATH + 16];
  if (SHGetFolderPathW(NULL, CSIDL_COMMON_APPDATA, NULL, SHGFP_TYPE_CURRENT, folder) != S_OK) return;
  SetEnvironmentVariableW(L"CARDWIRE_MACHINE_DIR", wcscat(folder, L"\\Cardwire"));
}

static void WINAPI run_service(DWORD count, wchar_t **arguments) {
  (void)count, (void)arguments;
  stop = CreateEventW(NULL, TRUE, FALSE, NULL);
  manager = RegisterServiceCtrlHandlerExW(SERVICE_NAME, control, NULL);
  if (manager == NULL) return;
  report(SERVICE_RUNNING);
  struct supervision registry = { L"registry --service", stop, MEMORY_MAX, TRUE };
  DWORD code = supervise(&registry);
  status.dwWin32ExitCode = code == 0 ? NO_ERROR : ERROR_SERVICE_SPECIFIC_ERROR;
  status.dwServiceSpecificExitCode = code;
  report(SERVICE_STOPPED);
}

static int run_agent(void) {
  CreateMutexW(NULL, TRUE, L"Local\\CardwireAgent");
  if (GetLastError() == ERROR_ALREADY_EXISTS) return 0;
  struct supervision connector = { L"run", NULL, 0, FALSE };
  return (int)supervise(&connector);
}

static int open_page(void) {
  PROCESS_INFORMATION process;
  if (!start_connector(L"open", &process)) return 1;
  ResumeThread(process.hThread);
  return 0;
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, wchar_t *arguments, int show) {
  (void)instance, (void)before, (void)show;
  /* Before it has settings: with some of its own the page would start a connector without an agent, which starts it again. */
  if (wcscmp(arguments, L"open") == 0) return open_page();
  name_folder();
  if (wcscmp(arguments, L"agent") == 0) return run_agent();
  if (wcscmp(arguments, L"service") != 0) return 2;
  SERVICE_TABLE_ENTRYW services[] = { { SERVICE_NAME, run_service }, { NULL, NULL } };
  return StartServiceCtrlDispatcherW(services) ? 0 : 1;
}
