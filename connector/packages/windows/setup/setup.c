/* The actions of the installer that its tables cannot say. Each ends well: none is worth a failed installation. */
#include "setup.h"
#include <stdio.h>
#include <wchar.h>

void read_property(MSIHANDLE installation, const wchar_t *name, wchar_t *value, DWORD size) {
  if (MsiGetPropertyW(installation, name, value, &size) != ERROR_SUCCESS) *value = 0;
}

void report(MSIHANDLE installation, const wchar_t *line) {
  MSIHANDLE record = MsiCreateRecord(1);
  MsiRecordSetStringW(record, 0, line);
  MsiProcessMessage(installation, INSTALLMESSAGE_INFO, record);
  MsiCloseHandle(record);
}

/* Whether an administrator has switched the registry off. */
static BOOL is_disabled(void) {
  BYTE buffer[8192];
  DWORD needed;
  QUERY_SERVICE_CONFIGW *config = (QUERY_SERVICE_CONFIGW *)buffer;
  SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
  SC_HANDLE service = OpenServiceW(manager, SERVICE_NAME, SERVICE_QUERY_CONFIG);
  BOOL known = service && QueryServiceConfigW(service, config, sizeof buffer, &needed);
  if (service) CloseServiceHandle(service);
  if (manager) CloseServiceHandle(manager);
  return known && config->dwStartType == SERVICE_DISABLED;
}

/* Before anything is changed: hands the settings, which no log may show, to the action that stores them. */
UINT __stdcall CollectSettings(MSIHANDLE installation) {
  static wchar_t lines[MAX_DATA], names[MAX_DATA], value[MAX_DATA];
  *lines = 0;
  read_property(installation, L"SettingNames", names, MAX_DATA);
  for (wchar_t *name = wcstok(names, L";"); name; name = wcstok(NULL, L";")) {
    read_property(installation, name, value, MAX_DATA);
    if (*value == 0 || wcslen(lines) + wcslen(name) + wcslen(value) + 3 > MAX_DATA) continue;
    wcscat(wcscat(wcscat(wcscat(lines, name), L"="), value), L"\n");
  }
  MsiSetPropertyW(installation, L"StoreSettings", lines);
  read_property(installation, L"SecretNames", names, MAX_DATA);
  for (wchar_t *name = wcstok(names, L";"); name; name = wcstok(NULL, L";")) MsiSetPropertyW(installation, name, L"");
  if (is_disabled()) MsiSetPropertyW(installation, L"REGISTRYDISABLED", L"1");
  return ERROR_SUCCESS;
}

/* The action has its data by now; logs end with a list of all properties. */
UINT __stdcall ForgetSettings(MSIHANDLE installation) {
  MsiSetPropertyW(installation, L"StoreSettings", L"");
  return ERROR_SUCCESS;
}

UINT __stdcall StoreSettings(MSIHANDLE installation) {
  static wchar_t lines[MAX_DATA];
  HKEY key;
  read_property(installation, L"CustomActionData", lines, MAX_DATA);
  if (*lines == 0) return ERROR_SUCCESS;
  if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, SETTINGS_KEY, 0, NULL, 0, KEY_WRITE | KEY_WOW64_64KEY, NULL, &key, NULL)) {
    report(installation, L"Cannot store the settings");
    return ERROR_INSTALL_FAILURE;
  }
  for (wchar_t *line = wcstok(lines, L"\n"); line; line = wcstok(NULL, L"\n")) {
    wchar_t *value = wcschr(line, L'=');
    if (value == NULL) continue;
    *value++ = 0;
    RegSetValueExW(key, line, 0, REG_SZ, (const BYTE *)value, (DWORD)(sizeof *value * (wcslen(value) + 1)));
  }
  RegCloseKey(key);
  return ERROR_SUCCESS;
}

UINT __stdcall EndProcesses(MSIHANDLE installation) {
  wchar_t folder[MAX_PATH];
  read_property(installation, L"CustomActionData", folder, MAX_PATH);
  if (*folder) end_processes(folder);
  return ERROR_SUCCESS;
}

/* What tables of Windows Installer say too, in a way that other implementations do not read. */
UINT __stdcall ConfigureRegistry(MSIHANDLE installation) {
  wchar_t disabled[8];
  read_property(installation, L"CustomActionData", disabled, 8);
  SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
  SC_HANDLE service = OpenServiceW(manager, SERVICE_NAME, SERVICE_CHANGE_CONFIG | SERVICE_START);
  if (service == NULL) return ERROR_SUCCESS;
  if (*disabled)
    ChangeServiceConfigW(service, SERVICE_NO_CHANGE, SERVICE_DISABLED, SERVICE_NO_CHANGE, NULL, NULL, NULL, NULL, NULL,
                         NULL, NULL);
  /* The one that every program has: LocalService may act as its callers, and the registry does not. */
  SERVICE_REQUIRED_PRIVILEGES_INFOW privileges = { L"SeChangeNotifyPrivilege\0" };
  ChangeServiceConfig2W(service, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO, &privileges);
  /* For the end of cardwire-service.exe itself: it starts the registry again. */
  SC_ACTION again = { SC_ACTION_RESTART, 5000 };
  SERVICE_FAILURE_ACTIONSW failures = { .dwResetPeriod = 86400, .cActions = 1, .lpsaActions = &again };
  ChangeServiceConfig2W(service, SERVICE_CONFIG_FAILURE_ACTIONS, &failures);
  CloseServiceHandle(service);
  CloseServiceHandle(manager);
  return ERROR_SUCCESS;
}
