#include "supervise.h"
#include <stdio.h>
#include <wchar.h>

/* Milliseconds: the waits before a start, until when a run counts as a success, and how long an end may take. */
enum { FIRST_WAIT = 1000, LONGEST_WAIT = 60000, SETTLED = 60000, END = 5000 };

static const DWORD final_codes[] = { FINAL_EXIT_CODES };

static BOOL is_final(DWORD code) {
  for (size_t i = 0; i < sizeof final_codes / sizeof *final_codes; i++)
    if (code == final_codes[i]) return TRUE;
  return FALSE;
}

BOOL start_connector(const wchar_t *arguments, PROCESS_INFORMATION *process) {
  wchar_t folder[MAX_PATH], command[2 * MAX_PATH];
  DWORD length = GetModuleFileNameW(NULL, folder, MAX_PATH);
  if (length == 0 || length == MAX_PATH) return FALSE;
  *wcsrchr(folder, L'\\') = 0;
  swprintf(command, sizeof command / sizeof *command, L"\"%ls\\cardwire.exe\" %ls", folder, arguments);
  STARTUPINFOW startup = { .cb = sizeof startup };
  DWORD flags = CREATE_NO_WINDOW | CREATE_SUSPENDED;
  return CreateProcessW(NULL, command, NULL, NULL, FALSE, flags, NULL, folder, &startup, process);
}

/*
 * It ends with this program, however that ends. Its children are in the job only where their memory counts: among those of
 * a user may be a browser, and the others end with the connector.
 */
static HANDLE create_job(SIZE_T memory) {
  HANDLE job = CreateJobObjectW(NULL, NULL);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { 0 };
  limits.BasicLimitInformation.LimitFlags =
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
    (memory > 0 ? JOB_OBJECT_LIMIT_JOB_MEMORY : JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK);
  limits.JobMemoryLimit = memory;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

/* Ctrl-C in the console that it has without a window. */
static void ask_to_end(DWORD process) {
  if (!AttachConsole(process)) return;
  SetConsoleCtrlHandler(NULL, TRUE);
  GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
  FreeConsole();
}

/* Runs it once. Returns FALSE when it was stopped, else TRUE with its exit code. */
static BOOL run_once(const struct supervision *wanted, DWORD *code) {
  PROCESS_INFORMATION process;
  *code = 1;
  if (!start_connector(wanted->arguments, &process)) return TRUE;
  HANDLE job = create_job(wanted->memory);
  AssignProcessToJobObject(job, process.hProcess);
  ResumeThread(process.hThread);
  HANDLE events[] = { process.hProcess, wanted->stop };
  BOOL stopped = WaitForMultipleObjects(wanted->stop ? 2 : 1, events, FALSE, INFINITE) == WAIT_OBJECT_0 + 1;
  if (stopped) {
    ask_to_end(process.dwProcessId);
    WaitForSingleObject(process.hProcess, END);
  }
  TerminateJobObject(job, 1);
  WaitForSingleObject(process.hProcess, END);
  GetExitCodeProcess(process.hProcess, code);
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  CloseHandle(job);
  return !stopped;
}

DWORD supervise(const struct supervision *wanted) {
  DWORD wait = FIRST_WAIT;
  for (;;) {
    DWORD code;
    ULONGLONG started = GetTickCount64();
    if (!run_once(wanted, &code)) return 0;
    if (is_final(code) || (code == 0 && !wanted->restarts_after_success)) return code;
    if (GetTickCount64() - started >= SETTLED) wait = FIRST_WAIT;
    if (wanted->stop == NULL) Sleep(wait);
    else if (WaitForSingleObject(wanted->stop, wait) == WAIT_OBJECT_0) return 0;
    wait = wait * 2 < LONGEST_WAIT ? wait * 2 : LONGEST_WAIT;
  }
}
