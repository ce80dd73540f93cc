/* Another program on a Windows desktop: holds the clipboard in every manner, answers message boxes, is the tray. */
#include <windows.h>
#include <stdio.h>
#include <tlhelp32.h>

static void say(const char *line) {
  printf("%s\n", line);
  fflush(stdout);
}

static void pump(void) {
  MSG message;
  while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
}

static HGLOBAL block(const WCHAR *text, size_t length) {
  HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, (length + 1) * sizeof(WCHAR));
  WCHAR *at = GlobalLock(memory);
  memcpy(at, text, length * sizeof(WCHAR));
  at[length] = 0;
  GlobalUnlock(memory);
  return memory;
}

static void put(HWND window, HANDLE data) {
  while (!OpenClipboard(window)) Sleep(10);
  EmptyClipboard();
  SetClipboardData(CF_UNICODETEXT, data);
}

/* How many processes of a program there are. */
static int processes(const WCHAR *name) {
  int count = 0;
  PROCESSENTRY32W entry = {.dwSize = sizeof entry};
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  for (BOOL more = Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry))
    if (!_wcsicmp(entry.szExeFile, name)) count++;
  CloseHandle(all);
  return count;
}

/* Bytes as hexadecimal: whoever reads them finds the text in it. */
static void hex(const char *name, const void *bytes, size_t size) {
  printf("%s ", name);
  for (size_t i = 0; i < size; i++) printf("%02x", ((const unsigned char *)bytes)[i]);
  say("");
}

/* What Shell_NotifyIconW of Wine tells the tray, each field taken from its place in NOTIFYICONDATAW. */
struct told {
  DWORD window, id, flags, message;
  WCHAR tip[128];
  DWORD state, stateMask;
  WCHAR text[256];
  DWORD timeout;
  WCHAR title[64];
};

static LRESULT CALLBACK tray(HWND window, UINT message, WPARAM w, LPARAM l) {
  if (message == WM_COPYDATA) {
    const struct told *told = ((const COPYDATASTRUCT *)l)->lpData;
    hex("tip", told->tip, wcslen(told->tip) * sizeof(WCHAR));
    hex("title", told->title, wcslen(told->title) * sizeof(WCHAR));
    hex("text", told->text, wcslen(told->text) * sizeof(WCHAR));
    return TRUE;
  }
  return DefWindowProcW(window, message, w, l);
}

/* Waits for a message box, says its text, and presses one of its buttons. */
static void press(const WCHAR *title, int button) {
  HWND box;
  WCHAR text[2000];
  while (!(box = FindWindowW(L"#32770", title))) Sleep(10);
  /* The text is the control with the number 65535; it is there before the box is seen. */
  while (!IsWindowVisible(box)) Sleep(10);
  int length = GetDlgItemTextW(box, 0xffff, text, 2000);
  hex("box", text, (size_t)length * sizeof(WCHAR));
  if (button > 0) PostMessageW(box, WM_COMMAND, (WPARAM)button, 0);
}

int wmain(int count, WCHAR **args) {
  const WCHAR *act = count > 1 ? args[1] : L"";
  const WCHAR *text = count > 2 ? args[2] : L"";
  HWND window = CreateWindowExW(0, L"STATIC", L"other", 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL);
  if (!wcscmp(act, L"give")) {
    put(window, block(text, wcslen(text)));
    CloseClipboard();
  } else if (!wcscmp(act, L"give-much")) {
    size_t length = (size_t)_wtoi(text);
    WCHAR *much = malloc(length * sizeof(WCHAR));
    for (size_t i = 0; i < length; i++) much[i] = 0xe9;
    put(window, block(much, length));
    CloseClipboard();
  } else if (!wcscmp(act, L"clear")) {
    while (!OpenClipboard(window)) Sleep(10);
    EmptyClipboard();
    CloseClipboard();
  } else if (!wcscmp(act, L"promise")) {
    /* Whoever reads asks this window for the text, and it never answers. */
    put(window, NULL);
    CloseClipboard();
    say("ready");
    Sleep(INFINITE);
  } else if (!wcscmp(act, L"keep-open")) {
    while (!OpenClipboard(window)) Sleep(10);
  } else if (!wcscmp(act, L"open-at-first")) {
    /* Until our program's helper has had the time to try, and not as long as it tries. */
    put(window, block(text, wcslen(text)));
    say("ready");
    while (processes(L"act.exe") < 2) Sleep(10);
    Sleep(250);
    CloseClipboard();
  } else if (!wcscmp(act, L"press")) {
    say("ready");
    press(text, count > 3 ? _wtoi(args[3]) : 0);
    return 0;
  } else if (!wcscmp(act, L"tray")) {
    WNDCLASSW type = {.lpfnWndProc = tray, .lpszClassName = L"Shell_TrayWnd"};
    RegisterClassW(&type);
    CreateWindowExW(0, L"Shell_TrayWnd", L"", 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL);
  }
  say("ready");
  pump();
  return 0;
}
