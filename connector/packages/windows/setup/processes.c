/* Running connectors: their end before files are replaced, and their start in every open session. */
#include "setup.h"
#include <sddl.h>
#include <stdio.h>
#include <tlhelp32.h>
#include <userenv.h>
#include <wchar.h>
#include <wtsapi32.h>

/* Milliseconds that a process may take to be gone. */
enum { END = 5000 };

/* Ends a process whose program lies in the folder; TRUE when it was one. */
static BOOL end_process(DWORD id, const wchar_t *folder) {
  wchar_t program[MAX_PATH];
  DWORD size = MAX_PATH;
  HANDLE process = OpenProcess(PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, id);
  if (process == NULL) return FALSE;
  BOOL ours = id != GetCurrentProcessId() && QueryFullProcessImageNameW(process, 0, program, &size) &&
              _wcsnicmp(program, folder, wcslen(folder)) == 0;
  if (ours && TerminateProcess(process, 1)) WaitForSingleObject(process, END);
  CloseHandle(process);
  return ours;
}

/* One pass. `program`: those of this name alone, or NULL. */
static BOOL end_all(const wchar_t *folder, const wchar_t *program) {
  BOOL found = FALSE;
  PROCESSENTRY32W entry = { .dwSize = sizeof entry };
  HANDLE processes = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  for (BOOL more = Process32FirstW(processes, &entry); more; more = Process32NextW(processes, &entry))
    if (program == NULL || _wcsicmp(entry.szExeFile, program) == 0)
      found = end_process(entry.th32ProcessID, folder) || found;
  CloseHandle(processes);
  return found;
}

void end_processes(const wchar_t *folder) {
  /* First those that would start the others again. */
  end_all(folder, L"cardwire-service.exe");
  for (int i = 0; i < 5 && end_all(folder, NULL); i++) continue;
}

/* Whether this user has switched the start off, in the task manager: an odd first byte. */
static BOOL is_switched_off(HANDLE token) {
  BYTE buffer[256], state[64] = { 0 };
  DWORD size, bytes = sizeof state;
  wchar_t *sid, path[512];
  if (!GetTokenInformation(token, TokenUser, buffer, sizeof buffer, &size)) return FALSE;
  if (!ConvertSidToStringSidW(((TOKEN_USER *)buffer)->User.Sid, &sid)) return FALSE;
  swprintf(path, 512, L"%ls\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\StartupApproved\\Run", sid);
  LocalFree(sid);
  LSTATUS result = RegGetValueW(HKEY_USERS, path, L"Cardwire", RRF_RT_REG_BINARY, NULL, state, &bytes);
  return result == ERROR_SUCCESS && (*state & 1);
}

/* Starts the agent in a session as the user who is logged in there. */
static void start_agent(DWORD session, const wchar_t *folder) {
  HANDLE token;
  void *environment = NULL;
  wchar_t command[2 * MAX_PATH], desktop[] = L"winsta0\\default";
  STARTUPINFOW startup = { .cb = sizeof startup, .lpDesktop = desktop };
  PROCESS_INFORMATION process;
  if (!WTSQueryUserToken(session, &token)) return;
  swprintf(command, 2 * MAX_PATH, L"\"%lscardwire-service.exe\" agent", folder);
  if (!is_switched_off(token) && CreateEnvironmentBlock(&environment, token, FALSE) &&
      CreateProcessAsUserW(token, NULL, command, NULL, NULL, FALSE, CREATE_UNICODE_ENVIRONMENT, environment, folder,
                           &startup, &process)) {
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
  }
  if (environment) DestroyEnvironmentBlock(environment);
  CloseHandle(token);
}

UINT __stdcall StartAgents(MSIHANDLE installation) {
  wchar_t folder[MAX_PATH];
  WTS_SESSION_INFOW *sessions = NULL;
  DWORD count = 0, console = WTSGetActiveConsoleSessionId();
  read_property(installation, L"CustomActionData", folder, MAX_PATH);
  WTSEnumerateSessionsW(WTS_CURRENT_SERVER_HANDLE, 0, 1, &sessions, &count);
  /* Twice in one session is once: the second agent ends at once. */
  start_agent(console, folder);
  for (DWORD i = 0; i < count; i++)
    if (sessions[i].SessionId != console) start_agent(sessions[i].SessionId, folder);
  WTSFreeMemory(sessions);
  return ERROR_SUCCESS;
}
