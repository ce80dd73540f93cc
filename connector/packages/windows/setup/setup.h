/* What the actions of the installer share. */
#include <windows.h>
#include <msi.h>
#include <msiquery.h>

/* Longest text that an action gets, in characters. */
enum { MAX_DATA = 32768 };

/* A property of the installation; of a deferred action CustomActionData is the one that it has. Empty where there is none. */
void read_property(MSIHANDLE installation, const wchar_t *name, wchar_t *value, DWORD size);

/* Writes a line into the log of the installer. */
void report(MSIHANDLE installation, const wchar_t *line);

/* Ends every process whose program lies in the folder, and waits until they have ended. */
void end_processes(const wchar_t *folder);

/* Removes a folder with what is in it, and nothing behind a link. `kept`: a name in it that stays, or NULL. */
void remove_folder(const wchar_t *path, const wchar_t *kept);

/* Runs a program without a window, and waits until it has ended. Its path is absolute, and in quotes. */
void run_hidden(wchar_t *command);

/* Opens what is there, not what a link names; while it is open, others cannot rename or remove what it may read. */
HANDLE open_itself(const wchar_t *path, DWORD access);

/* A folder that is no link, pinned; INVALID_HANDLE_VALUE otherwise. */
HANDLE pin_folder(const wchar_t *path, DWORD access);

/* Whether an open file or folder lies in an open folder. */
BOOL lies_in(HANDLE child, HANDLE folder);

/*
 * Windows makes a link of an empty folder in its place, also while it is open (FSCTL_SET_REPARSE_POINT): as long as this file of
 * ours is in it, it is not empty. INVALID_HANDLE_VALUE where the folder has become a link already, or has a file of this name.
 */
HANDLE keep_from_linking(const wchar_t *path, HANDLE folder, const wchar_t *name);
