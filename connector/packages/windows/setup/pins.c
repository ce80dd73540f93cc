/* Files and folders that are held open, so that no link takes their place meanwhile. */
#include "setup.h"
#include <stdio.h>
#include <wchar.h>

static BOOL is_link(const wchar_t *path) {
  DWORD attributes = GetFileAttributesW(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

HANDLE open_itself(const wchar_t *path, DWORD access) {
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                     FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

HANDLE pin_folder(const wchar_t *path, DWORD access) {
  FILE_BASIC_INFO info;
  /* Windows does not check what a handle shares that may only read attributes (CreateFileW, "dwShareMode"). */
  HANDLE folder = open_itself(path, access | FILE_LIST_DIRECTORY);
  if (folder == INVALID_HANDLE_VALUE) return folder;
  if (GetFileInformationByHandleEx(folder, FileBasicInfo, &info, sizeof info) &&
      (info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) && !(info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
      !is_link(path))
    return folder;
  CloseHandle(folder);
  return INVALID_HANDLE_VALUE;
}

BOOL lies_in(HANDLE child, HANDLE folder) {
  wchar_t inner[4 * MAX_PATH], outer[4 * MAX_PATH];
  DWORD length = GetFinalPathNameByHandleW(folder, outer, 4 * MAX_PATH, 0);
  DWORD longer = GetFinalPathNameByHandleW(child, inner, 4 * MAX_PATH, 0);
  return length > 0 && length < longer && longer < 4 * MAX_PATH && _wcsnicmp(inner, outer, length) == 0 &&
         inner[length] == L'\\';
}

HANDLE keep_from_linking(const wchar_t *path, HANDLE folder, const wchar_t *name) {
  wchar_t child[4 * MAX_PATH];
  if (swprintf(child, 4 * MAX_PATH, L"%ls\\%ls", path, name) <= 0) return INVALID_HANDLE_VALUE;
  HANDLE file = CreateFileW(child, DELETE, 0, NULL, CREATE_NEW,
                            FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
  if (file == INVALID_HANDLE_VALUE || lies_in(file, folder)) return file;
  CloseHandle(file);
  return INVALID_HANDLE_VALUE;
}
