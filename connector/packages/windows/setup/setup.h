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
