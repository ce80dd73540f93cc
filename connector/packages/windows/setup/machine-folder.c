/* The folder of the registry of the machine: made, restricted, and without what users have put there. */
#include "setup.h"
#include <aclapi.h>
#include <ntsecapi.h>
#include <sddl.h>
#include <stdio.h>
#include <wchar.h>

/* Full control for the system, administrators and the account of the registry; everybody may see the folder, not what is in it. */
#define MACHINE_ACCESS L"O:BAG:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;LS)"
static const wchar_t machine_access[] = MACHINE_ACCESS L"(A;;0x1200a9;;;BU)";
/* What the registry publishes everybody may read. */
static const wchar_t public_access[] = MACHINE_ACCESS L"(A;OICI;0x1200a9;;;BU)";

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

/* Whether what was opened is no user's. */
static BOOL is_ours(HANDLE file) {
  PSECURITY_DESCRIPTOR descriptor;
  PSID owner;
  if (file == INVALID_HANDLE_VALUE) return FALSE;
  if (GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL, &descriptor))
    return FALSE;
  BOOL ours = IsWellKnownSid(owner, WinBuiltinAdministratorsSid) || IsWellKnownSid(owner, WinLocalServiceSid) ||
              is_installer(owner);
  LocalFree(descriptor);
  return ours;
}

static void release(HANDLE file) {
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
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

/*
 * One that was made without an access list lets everybody make files in it. What is in it keeps its own. By its handle: a path
 * may have become a link, and lead to a folder of the system.
 */
static void restrict_folder(HANDLE folder, const wchar_t *access) {
  PSECURITY_DESCRIPTOR wanted;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(access, SDDL_REVISION_1, &wanted, NULL)) return;
  SetKernelObjectSecurity(folder, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, wanted);
  LocalFree(wanted);
}

/* Moves what is at the path to a name beside the folder. `name`: what it is called in the folder, or "" for the folder. */
static BOOL move_aside(const wchar_t *path, const wchar_t *folder, const wchar_t *name) {
  wchar_t aside[2 * MAX_PATH];
  return swprintf(aside, 2 * MAX_PATH, L"%ls.%llu%ls", folder, GetTickCount64(), name) > 0 &&
         MoveFileExW(path, aside, 0);
}

/*
 * Makes a folder with this access, and returns it pinned; INVALID_HANDLE_VALUE when that fails. What is there already is moved away,
 * unless the folder is ours: every user may make folders in ProgramData, with keys that they know, and the account of the registry
 * may put links into its own. `beside`, `name`: to where, as `move_aside` has them.
 */
static HANDLE own_folder(const wchar_t *path, const wchar_t *access, const wchar_t *beside, const wchar_t *name) {
  create_folder(path, access);
  HANDLE folder = pin_folder(path, READ_CONTROL | WRITE_DAC);
  if (!is_ours(folder)) {
    release(folder);
    if (!move_aside(path, beside, name) || !create_folder(path, access)) return INVALID_HANDLE_VALUE;
    folder = pin_folder(path, READ_CONTROL | WRITE_DAC);
  }
  if (folder != INVALID_HANDLE_VALUE) restrict_folder(folder, access);
  return folder;
}

/*
 * Moves away what users have put into the folder as long as everybody could: the registry would take it for its own. `kept`: a name
 * in it that stays.
 */
static BOOL move_files_of_users_aside(const wchar_t *path, const wchar_t *kept) {
  wchar_t child[2 * MAX_PATH];
  WIN32_FIND_DATAW entry;
  BOOL done = TRUE;
  swprintf(child, 2 * MAX_PATH, L"%ls\\*", path);
  HANDLE search = FindFirstFileW(child, &entry);
  for (BOOL more = search != INVALID_HANDLE_VALUE; more; more = FindNextFileW(search, &entry)) {
    if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
    if (wcscmp(entry.cFileName, kept) == 0) continue;
    if (swprintf(child, 2 * MAX_PATH, L"%ls\\%ls", path, entry.cFileName) <= 0) {
      done = FALSE;
      continue;
    }
    HANDLE file = open_itself(child, READ_CONTROL);
    BOOL ours = is_ours(file);
    release(file);
    if (!ours) done = move_aside(child, path, entry.cFileName) && done;
  }
  if (search != INVALID_HANDLE_VALUE) FindClose(search);
  return done;
}

/* Prepares what is in the pinned folder of the registry, which becomes no link meanwhile. */
static BOOL prepare_contents(const wchar_t *path, HANDLE folder) {
  wchar_t name[32], child[MAX_PATH];
  ULONGLONG number = 0;
  /* No user has made a file of this name before. */
  RtlGenRandom(&number, sizeof number);
  swprintf(name, 32, L"cardwire-%016llx", number);
  swprintf(child, MAX_PATH, L"%ls\\public", path);
  HANDLE file = keep_from_linking(path, folder, name);
  if (file == INVALID_HANDLE_VALUE) return FALSE;
  BOOL done = move_files_of_users_aside(path, name);
  HANDLE published = own_folder(child, public_access, path, L"public");
  if (published == INVALID_HANDLE_VALUE) done = FALSE;
  release(published);
  release(file);
  return done;
}

UINT __stdcall PrepareFolder(MSIHANDLE installation) {
  wchar_t path[MAX_PATH];
  read_property(installation, L"CustomActionData", path, MAX_PATH - 32);
  wcscat(path, L"Cardwire");
  HANDLE folder = own_folder(path, machine_access, path, L"");
  BOOL done = folder != INVALID_HANDLE_VALUE && prepare_contents(path, folder);
  release(folder);
  if (done) return ERROR_SUCCESS;
  report(installation, L"Cannot make the folder of the registry: another account has made it");
  return ERROR_INSTALL_FAILURE;
}
