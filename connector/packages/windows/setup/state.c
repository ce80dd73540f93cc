/* What a full uninstall removes, of every user too. */
#include "setup.h"
#include <stdio.h>
#include <wchar.h>

/* A file in a folder that is being removed. */
#define REMOVAL_FILE L"cardwire-removal"

static void remove_entry(const wchar_t *path, DWORD attributes) {
  if (attributes & FILE_ATTRIBUTE_READONLY) SetFileAttributesW(path, attributes & ~FILE_ATTRIBUTE_READONLY);
  if (!(attributes & FILE_ATTRIBUTE_DIRECTORY)) DeleteFileW(path);
  /* Of a link to a folder this removes the link. */
  else if (attributes & FILE_ATTRIBUTE_REPARSE_POINT) RemoveDirectoryW(path);
  else remove_folder(path, NULL);
}

void remove_folder(const wchar_t *path, const wchar_t *kept) {
  wchar_t child[4 * MAX_PATH];
  WIN32_FIND_DATAW entry;
  HANDLE folder = pin_folder(path, GENERIC_READ);
  if (folder == INVALID_HANDLE_VALUE) return;
  HANDLE file = keep_from_linking(path, folder, REMOVAL_FILE);
  if (file != INVALID_HANDLE_VALUE && swprintf(child, 4 * MAX_PATH, L"%ls\\*", path) > 0) {
    HANDLE search = FindFirstFileW(child, &entry);
    for (BOOL more = search != INVALID_HANDLE_VALUE; more; more = FindNextFileW(search, &entry)) {
      if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
      if (wcscmp(entry.cFileName, REMOVAL_FILE) == 0) continue;
      if (kept && _wcsicmp(entry.cFileName, kept) == 0) continue;
      if (swprintf(child, 4 * MAX_PATH, L"%ls\\%ls", path, entry.cFileName) > 0)
        remove_entry(child, entry.dwFileAttributes);
    }
    if (search != INVALID_HANDLE_VALUE) FindClose(search);
  }
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  CloseHandle(folder);
  /* Fails where something has stayed. */
  RemoveDirectoryW(path);
}

/* Below a profile, with every folder above pinned: a user could put a link there meanwhile. */
static void remove_runtime(const wchar_t *profile) {
  static const wchar_t *const steps[] = { L"", L"\\AppData", L"\\Local", L"\\Cardwire" };
  enum { STEPS = sizeof steps / sizeof *steps };
  HANDLE pinned[STEPS];
  wchar_t path[2 * MAX_PATH], child[2 * MAX_PATH];
  int depth = 0;
  if (wcslen(profile) > MAX_PATH) return;
  wcscpy(path, profile);
  for (; depth < STEPS; depth++) {
    pinned[depth] = pin_folder(wcscat(path, steps[depth]), FILE_READ_ATTRIBUTES);
    if (pinned[depth] == INVALID_HANDLE_VALUE) break;
    /* The one above is not empty as long as this one is pinned: it becomes no link any more. */
    if (depth > 0 && !lies_in(pinned[depth], pinned[depth - 1])) {
      CloseHandle(pinned[depth]);
      break;
    }
  }
  if (depth == STEPS) {
    HANDLE file = keep_from_linking(path, pinned[STEPS - 1], REMOVAL_FILE);
    if (file != INVALID_HANDLE_VALUE) {
      remove_folder(wcscat(wcscpy(child, path), L"\\Runtime"), NULL);
      remove_folder(wcscat(wcscpy(child, path), L"\\Logs"), NULL);
      CloseHandle(file);
    }
    CloseHandle(pinned[--depth]);
    /* Fails where the certificates are in it. */
    RemoveDirectoryW(path);
  }
  while (depth > 0) CloseHandle(pinned[--depth]);
}

/* Runs `act` with the folder of each profile of the machine. */
static void for_each_profile(void (*act)(const wchar_t *)) {
  wchar_t name[256], folder[MAX_PATH];
  HKEY key;
  if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList", 0,
                    KEY_READ | KEY_WOW64_64KEY, &key))
    return;
  for (DWORD i = 0, length = 256; RegEnumKeyExW(key, i, name, &length, NULL, NULL, NULL, NULL) == 0; i++, length = 256) {
    DWORD size = sizeof folder;
    /* Those of services and of the system have shorter names. */
    if (wcsncmp(name, L"S-1-5-21-", 9) && wcsncmp(name, L"S-1-12-1-", 9)) continue;
    if (RegGetValueW(key, name, L"ProfileImagePath", RRF_RT_REG_SZ, NULL, folder, &size) == 0)
      act(folder);
  }
  RegCloseKey(key);
}

/* Everything but the certificates, which belong to no package. */
UINT __stdcall RemoveState(MSIHANDLE installation) {
  wchar_t folder[MAX_PATH];
  read_property(installation, L"CustomActionData", folder, MAX_PATH);
  for_each_profile(remove_runtime);
  if (*folder) remove_folder(wcscat(folder, L"Cardwire"), L"certificates");
  RegDeleteTreeW(HKEY_LOCAL_MACHINE, SETTINGS_KEY);
  return ERROR_SUCCESS;
}
