/* The folder of the registry of the machine, and what a full uninstall removes, of every user too. */
#include "setup.h"
#include <aclapi.h>
#include <sddl.h>
#include <shlobj.h>
#include <stdio.h>
#include <wchar.h>

/* Full control for the system, administrators and the account of the registry; everybody may see the folder, not what is in it. */
#define MACHINE_ACCESS L"O:BAG:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;LS)"
static const wchar_t machine_access[] = MACHINE_ACCESS L"(A;;0x1200a9;;;BU)";
/* What the registry publishes everybody may read. */
static const wchar_t public_access[] = MACHINE_ACCESS L"(A;OICI;0x1200a9;;;BU)";

/* A file in a folder that is being removed. */
#define REMOVAL_FILE L"cardwire-removal"

static BOOL is_link(const wchar_t *path) {
  DWORD attributes = GetFileAttributesW(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

/* Opens what is there, not what a link names; as long as it is open nobody else can rename or remove what it may read. */
static HANDLE open_itself(const wchar_t *path, DWORD access) {
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                     FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

/* A folder that is no link, pinned; INVALID_HANDLE_VALUE otherwise. */
static HANDLE pin_folder(const wchar_t *path, DWORD access) {
  FILE_BASIC_INFO info;
  /* Of a handle that may read attributes alone Windows does not check what it shares (CreateFileW, "dwShareMode"). */
  HANDLE folder = open_itself(path, access | FILE_LIST_DIRECTORY);
  if (folder == INVALID_HANDLE_VALUE) return folder;
  if (GetFileInformationByHandleEx(folder, FileBasicInfo, &info, sizeof info) &&
      (info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) && !(info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
      !is_link(path))
    return folder;
  CloseHandle(folder);
  return INVALID_HANDLE_VALUE;
}

/* Whether an open file or folder lies in an open folder. */
static BOOL lies_in(HANDLE child, HANDLE folder) {
  wchar_t inner[4 * MAX_PATH], outer[4 * MAX_PATH];
  DWORD length = GetFinalPathNameByHandleW(folder, outer, 4 * MAX_PATH, 0);
  DWORD longer = GetFinalPathNameByHandleW(child, inner, 4 * MAX_PATH, 0);
  return length > 0 && length < longer && longer < 4 * MAX_PATH && _wcsnicmp(inner, outer, length) == 0 &&
         inner[length] == L'\\';
}

/*
 * Windows makes a link of an empty folder in its place, also while it is open (FSCTL_SET_REPARSE_POINT): as long as this file of
 * ours is in it, it is not empty. INVALID_HANDLE_VALUE where the folder has become a link already.
 */
static HANDLE keep_from_linking(const wchar_t *path, HANDLE folder) {
  wchar_t name[4 * MAX_PATH];
  if (swprintf(name, 4 * MAX_PATH, L"%ls\\" REMOVAL_FILE, path) <= 0) return INVALID_HANDLE_VALUE;
  HANDLE file = CreateFileW(name, DELETE, 0, NULL, CREATE_NEW,
                            FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
  if (file == INVALID_HANDLE_VALUE || lies_in(file, folder)) return file;
  CloseHandle(file);
  return INVALID_HANDLE_VALUE;
}

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
  HANDLE file = keep_from_linking(path, folder);
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
    HANDLE file = keep_from_linking(path, pinned[STEPS - 1]);
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

/* Whether this is the account of the installer: the system's, on Windows. */
static BOOL is_installer(PSID account) {
  BYTE buffer[256];
  DWORD size;
  HANDLE token;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return FALSE;
  BOOL same = GetTokenInformation(token, TokenUser, buffer, sizeof buffer, &size) &&
              EqualSid(account, ((TOKEN_USER *)buffer)->User.Sid);
  CloseHandle(token);
  return same;
}

/* Whether what was opened is no user's. Closes it. */
static BOOL is_ours(HANDLE file) {
  PSECURITY_DESCRIPTOR descriptor;
  PSID owner;
  if (file == INVALID_HANDLE_VALUE) return FALSE;
  BOOL ours = FALSE;
  if (GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL, &descriptor) == 0) {
    ours = IsWellKnownSid(owner, WinBuiltinAdministratorsSid) || IsWellKnownSid(owner, WinLocalServiceSid) ||
           is_installer(owner);
    LocalFree(descriptor);
  }
  CloseHandle(file);
  return ours;
}

static BOOL create_folder(const wchar_t *path, const wchar_t *access) {
  SECURITY_ATTRIBUTES attributes = { .nLength = sizeof attributes };
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(access, SDDL_REVISION_1, &attributes.lpSecurityDescriptor,
                                                            NULL))
    return FALSE;
  BOOL made = CreateDirectoryW(path, &attributes);
  LocalFree(attributes.lpSecurityDescriptor);
  return made;
}

/* One that was made without an access list lets everybody make files in it. What is in it keeps its own. */
static void restrict_folder(const wchar_t *path, const wchar_t *access) {
  PSECURITY_DESCRIPTOR wanted;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(access, SDDL_REVISION_1, &wanted, NULL)) return;
  SetFileSecurityW(path, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, wanted);
  LocalFree(wanted);
}

/* Moves what is at the path to a name beside the folder. `name`: what it is called in the folder, or "" for the folder. */
static BOOL move_aside(const wchar_t *path, const wchar_t *folder, const wchar_t *name) {
  wchar_t aside[2 * MAX_PATH];
  return swprintf(aside, 2 * MAX_PATH, L"%ls.%llu%ls", folder, GetTickCount64(), name) > 0 &&
         MoveFileExW(path, aside, 0);
}

/* Moves away what users have put into the folder as long as everybody could: the registry would take it for its own. */
static BOOL move_files_of_users_aside(const wchar_t *path) {
  wchar_t child[2 * MAX_PATH];
  WIN32_FIND_DATAW entry;
  BOOL done = TRUE;
  swprintf(child, 2 * MAX_PATH, L"%ls\\*", path);
  HANDLE search = FindFirstFileW(child, &entry);
  for (BOOL more = search != INVALID_HANDLE_VALUE; more; more = FindNextFileW(search, &entry)) {
    if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
    if (swprintf(child, 2 * MAX_PATH, L"%ls\\%ls", path, entry.cFileName) <= 0)
      done = FALSE;
    else if (!is_ours(open_itself(child, READ_CONTROL))) done = move_aside(child, path, entry.cFileName) && done;
  }
  if (search != INVALID_HANDLE_VALUE) FindClose(search);
  return done;
}

/* Makes the folder of the registry; one that somebody else has made is moved away, with keys that user may know. */
static BOOL prepare_machine_folder(const wchar_t *path) {
  if (create_folder(path, machine_access)) return TRUE;
  /* Everybody may make folders in ProgramData. */
  if (!is_ours(pin_folder(path, READ_CONTROL))) return move_aside(path, path, L"") && create_folder(path, machine_access);
  restrict_folder(path, machine_access);
  return move_files_of_users_aside(path);
}

UINT __stdcall PrepareFolder(MSIHANDLE installation) {
  wchar_t path[MAX_PATH];
  read_property(installation, L"CustomActionData", path, MAX_PATH - 16);
  wcscat(path, L"Cardwire");
  if (!prepare_machine_folder(path)) {
    report(installation, L"Cannot make the folder of the registry: another account has made it");
    return ERROR_INSTALL_FAILURE;
  }
  wcscat(path, L"\\public");
  if (!create_folder(path, public_access)) restrict_folder(path, public_access);
  return ERROR_SUCCESS;
}
