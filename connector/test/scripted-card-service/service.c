/*
 * The PC/SC interface, answered by a test: every call goes as a line of text over a connection of its own to
 * 127.0.0.1:SCRIPTED_CARD_PORT, and the line that comes back says what it returns. Whoever answers late makes the call
 * slow, and whoever never answers makes it hang. One file for both systems:
 *
 *   cc -shared -fPIC -Wl,-soname,libpcsclite.so.1 -o libpcsclite.so.1 service.c
 *   x86_64-w64-mingw32-gcc -shared -o winscard.dll service.c -lws2_32
 *
 * Structures and signatures are those of the system's own headers, so that a wrong one does not compile.
 *
 * Asked:    <process id> <linux|windows> <call> <field>...    numbers in decimal, bytes and names (UTF-8) in hex after `x`
 * Answered: <code in hex> <field>...                          a list has commas between its items
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32

#define WINSCARDAPI __declspec(dllexport)
#define WINSCARDDATA __declspec(dllexport)
#include <winsock2.h>
#include <windows.h>
#include <winscard.h>

#define SYSTEM "windows"
#define CALL WINSCARDAPI LONG WINAPI
#define getpid() ((int)GetCurrentProcessId())
#define close_socket closesocket
#define SEND_FLAGS 0
typedef SOCKET socket_t;
#define NO_SOCKET INVALID_SOCKET

#else

#include <PCSC/reader.h>
#include <PCSC/winscard.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define SYSTEM "linux"
#define CALL LONG
#define close_socket close
/* A driver that has gone must not end the process that asks it. */
#define SEND_FLAGS MSG_NOSIGNAL
typedef int socket_t;
#define NO_SOCKET (-1)

#endif

/* Codes are unsigned in the headers' own casts, whatever LONG is. */
#define CODE(value) ((LONG)(value))

#ifdef _WIN32
WINSCARDDATA const SCARD_IO_REQUEST g_rgSCardT0Pci = {SCARD_PROTOCOL_T0, sizeof(SCARD_IO_REQUEST)};
WINSCARDDATA const SCARD_IO_REQUEST g_rgSCardT1Pci = {SCARD_PROTOCOL_T1, sizeof(SCARD_IO_REQUEST)};
WINSCARDDATA const SCARD_IO_REQUEST g_rgSCardRawPci = {SCARD_PROTOCOL_RAW, sizeof(SCARD_IO_REQUEST)};
#else
const SCARD_IO_REQUEST g_rgSCardT0Pci = {SCARD_PROTOCOL_T0, sizeof(SCARD_IO_REQUEST)};
const SCARD_IO_REQUEST g_rgSCardT1Pci = {SCARD_PROTOCOL_T1, sizeof(SCARD_IO_REQUEST)};
const SCARD_IO_REQUEST g_rgSCardRawPci = {SCARD_PROTOCOL_RAW, sizeof(SCARD_IO_REQUEST)};
#endif

/* ---- a line of text that grows ---- */

typedef struct {
  char *bytes;
  size_t length, room;
} Line;

static void grow(Line *line, size_t more) {
  if (line->length + more + 1 <= line->room) return;
  line->room = (line->length + more + 1) * 2;
  line->bytes = realloc(line->bytes, line->room);
  if (!line->bytes) abort();
}

static void add(Line *line, const char *format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  grow(line, (size_t)length);
  memcpy(line->bytes + line->length, text, (size_t)length + 1);
  line->length += (size_t)length;
}

static void add_bytes(Line *line, const void *bytes, size_t count) {
  add(line, " x");
  grow(line, 2 * count);
  for (size_t at = 0; at < count; at++) add(line, "%02x", ((const unsigned char *)bytes)[at]);
}

static void add_name(Line *line, const char *name) {
  add_bytes(line, name ? name : "", name ? strlen(name) : 0);
}

/* ---- asking ---- */

/* The answer to the line; frees the line. NULL when nobody listens, "" when whoever did has gone. */
static char *ask(Line line) {
  const char *port = getenv("SCRIPTED_CARD_PORT");
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons((unsigned short)atoi(port ? port : "0"));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
#ifdef _WIN32
  WSADATA unused;
  WSAStartup(MAKEWORD(2, 2), &unused);
  socket_t to = socket(AF_INET, SOCK_STREAM, 0);
#else
  socket_t to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
#endif
  add(&line, "\n");
  char *answer = NULL;
  if (to != NO_SOCKET && connect(to, (struct sockaddr *)&address, sizeof address) == 0) {
    Line said = {0};
    grow(&said, 4096);
    size_t sent = 0;
    while (sent < line.length) {
      int count = (int)send(to, line.bytes + sent, (int)(line.length - sent), SEND_FLAGS);
      if (count <= 0) break;
      sent += (size_t)count;
    }
    /* To the end: whoever closes first keeps the port for a minute, and ours may be one that somebody listens on. */
    for (;;) {
      grow(&said, 4096);
      int count = (int)recv(to, said.bytes + said.length, 4096, 0);
      if (count <= 0) break;
      said.length += (size_t)count;
    }
    if (said.length > 0 && said.bytes[said.length - 1] == '\n') said.length--;
    else said.length = 0;
    said.bytes[said.length] = '\0';
    answer = said.bytes;
  }
  if (to != NO_SOCKET) close_socket(to);
  free(line.bytes);
  return answer;
}

static Line begin(const char *call) {
  Line line = {0};
  add(&line, "%d " SYSTEM " %s", getpid(), call);
  return line;
}

/* The fields of an answer, one after the other; an absent one is empty. */
typedef struct {
  char *answer, *rest;
} Answer;

static char *field(Answer *answer) {
  char *found = answer->rest;
  char *end = found + strcspn(found, " ");
  answer->rest = *end ? end + 1 : end;
  *end = '\0';
  return found;
}

static unsigned long number(Answer *answer) { return strtoul(field(answer), NULL, 10); }

/* Asks, and leaves the fields behind the code in `answer`, to be freed with `done`. */
static LONG answered(Line line, Answer *answer) {
  static char nothing[] = "";
  answer->answer = ask(line);
  answer->rest = answer->answer ? answer->answer : nothing;
  if (!answer->answer) return CODE(SCARD_E_NO_SERVICE);
  if (!*answer->answer) return CODE(SCARD_E_SERVICE_STOPPED);
  return CODE(strtoul(field(answer), NULL, 16));
}

static LONG done(Answer *answer, LONG code) {
  free(answer->answer);
  return code;
}

static LONG simple(Line line) {
  Answer answer;
  LONG code = answered(line, &answer);
  return done(&answer, code);
}

/* ---- bytes, and names in the encoding of the caller ---- */

/* The bytes behind an `x`, in place; how many there are. */
static size_t unhex(char *text) {
  size_t count = *text == 'x' ? strlen(text + 1) / 2 : 0;
  for (size_t at = 0; at < count; at++) {
    char digits[3] = {text[1 + 2 * at], text[2 + 2 * at], '\0'};
    text[at] = (char)strtoul(digits, NULL, 16);
  }
  text[count] = '\0';
  return count;
}

typedef enum { NARROW, WIDE } Width;

#ifdef _WIN32

static char *recoded(const char *text, size_t length, UINT from, UINT to, size_t *out) {
  WCHAR *wide = malloc((length + 1) * sizeof(WCHAR));
  int units = length ? MultiByteToWideChar(from, 0, text, (int)length, wide, (int)length) : 0;
  char *narrow = malloc((size_t)units * 4 + 1);
  int count = units ? WideCharToMultiByte(to, 0, wide, units, narrow, units * 4, NULL, NULL) : 0;
  narrow[count] = '\0';
  if (out) *out = (size_t)count;
  free(wide);
  return narrow;
}

/* The name as UTF-8, to be freed. */
static char *utf8(const void *name, Width width) {
  if (!name) return strdup("");
  if (width == NARROW) return recoded(name, strlen(name), CP_ACP, CP_UTF8, NULL);
  int units = (int)wcslen(name);
  char *narrow = malloc((size_t)units * 4 + 1);
  int count = units ? WideCharToMultiByte(CP_UTF8, 0, name, units, narrow, units * 4, NULL, NULL) : 0;
  narrow[count] = '\0';
  return narrow;
}

/* The UTF-8 text, NULs and all, as characters of the caller; `*count` becomes how many there are. To be freed. */
static void *characters(const char *text, size_t *count, Width width) {
  if (width == NARROW) return recoded(text, *count, CP_UTF8, CP_ACP, count);
  WCHAR *wide = malloc((*count + 1) * sizeof(WCHAR));
  if (*count) *count = (size_t)MultiByteToWideChar(CP_UTF8, 0, text, (int)*count, wide, (int)*count);
  return wide;
}

static size_t size_of(Width width) { return width == WIDE ? sizeof(WCHAR) : 1; }

#else

static char *utf8(const void *name, Width width) {
  (void)width;
  return strdup(name ? name : "");
}

static void *characters(const char *text, size_t *count, Width width) {
  (void)width;
  void *copy = malloc(*count + 1);
  memcpy(copy, text, *count);
  return copy;
}

static size_t size_of(Width width) {
  (void)width;
  return 1;
}

#endif

/* Hands out `count` elements as PC/SC does: the number alone, into memory it makes, or into the caller's. */
static LONG hand_out(const void *elements, size_t count, size_t size, void *to, LPDWORD room) {
  if (!room) return to ? CODE(SCARD_E_INVALID_PARAMETER) : CODE(SCARD_S_SUCCESS);
  DWORD had = *room;
  *room = (DWORD)count;
  if (!to) return CODE(SCARD_S_SUCCESS);
  if (had == SCARD_AUTOALLOCATE) {
    void *made = malloc(count * size + size);
    memcpy(made, elements, count * size);
    *(void **)to = made;
    return CODE(SCARD_S_SUCCESS);
  }
  if (had < count) return CODE(SCARD_E_INSUFFICIENT_BUFFER);
  memcpy(to, elements, count * size);
  return CODE(SCARD_S_SUCCESS);
}

/* Hands out UTF-8 text as characters of the caller. */
static LONG hand_out_text(const char *text, size_t length, void *to, LPDWORD room, Width width) {
  void *made = characters(text, &length, width);
  LONG code = hand_out(made, length, size_of(width), to, room);
  free(made);
  return code;
}

/* ---- contexts ---- */

CALL SCardEstablishContext(DWORD scope, LPCVOID reserved1, LPCVOID reserved2, LPSCARDCONTEXT context) {
  (void)reserved1;
  (void)reserved2;
  if (!context) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("establish");
  add(&line, " %lu", (unsigned long)scope);
  LONG code = answered(line, &answer);
  *context = code == SCARD_S_SUCCESS ? (SCARDCONTEXT)number(&answer) : 0;
  return done(&answer, code);
}

static LONG about(const char *call, unsigned long handle) {
  Line line = begin(call);
  add(&line, " %lu", handle);
  return simple(line);
}

CALL SCardReleaseContext(SCARDCONTEXT context) { return about("release", (unsigned long)context); }
CALL SCardIsValidContext(SCARDCONTEXT context) { return about("is-valid", (unsigned long)context); }
CALL SCardCancel(SCARDCONTEXT context) { return about("cancel", (unsigned long)context); }

CALL SCardFreeMemory(SCARDCONTEXT context, LPCVOID memory) {
  (void)context;
  free((void *)memory);
  return CODE(SCARD_S_SUCCESS);
}

/* ---- readers ---- */

static LONG list_readers(SCARDCONTEXT context, void *to, LPDWORD room, Width width) {
  if (!room) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("list-readers");
  add(&line, " %lu", (unsigned long)context);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    char *names = field(&answer);
    size_t length = unhex(names);
    code = hand_out_text(names, length, to, room, width);
  }
  return done(&answer, code);
}

static LONG list_groups(void *to, LPDWORD room, Width width) {
  static const char groups[] = "SCard$DefaultReaders\0";
  return hand_out_text(groups, sizeof groups, to, room, width);
}

/* A state of either width: they differ in what the name points to alone. */
#ifdef _WIN32
typedef SCARD_READERSTATEA State;
#else
typedef SCARD_READERSTATE State;
#endif

static LONG status_change(SCARDCONTEXT context, DWORD timeout, State *states, DWORD count, Width width) {
  if (!states && count > 0) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("status-change");
  add(&line, " %lu %lu", (unsigned long)context, (unsigned long)timeout);
  for (DWORD at = 0; at < count; at++) {
    char *name = utf8(states[at].szReader, width);
    add_name(&line, name);
    add(&line, ",%lu", (unsigned long)states[at].dwCurrentState);
    free(name);
  }
  LONG code = answered(line, &answer);
  for (DWORD at = 0; at < count; at++) {
    char *event = field(&answer);
    if (!*event) break;
    char *atr = strchr(event, ',');
    states[at].dwEventState = (DWORD)strtoul(event, NULL, 10);
    size_t length = atr ? unhex(atr + 1) : 0;
    if (length > sizeof states[at].rgbAtr) length = sizeof states[at].rgbAtr;
    states[at].cbAtr = (DWORD)length;
    if (length) memcpy(states[at].rgbAtr, atr + 1, length);
  }
  return done(&answer, code);
}

/* ---- cards ---- */

static LONG connect_card(SCARDCONTEXT context, const void *reader, DWORD share, DWORD protocols, LPSCARDHANDLE card,
                         LPDWORD protocol, Width width) {
  if (!card || !protocol || !reader) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("connect");
  char *name = utf8(reader, width);
  add(&line, " %lu %lu %lu", (unsigned long)context, (unsigned long)share, (unsigned long)protocols);
  add_name(&line, name);
  free(name);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    *card = (SCARDHANDLE)number(&answer);
    *protocol = (DWORD)number(&answer);
  }
  return done(&answer, code);
}

CALL SCardReconnect(SCARDHANDLE card, DWORD share, DWORD protocols, DWORD initialization, LPDWORD protocol) {
  if (!protocol) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("reconnect");
  add(&line, " %lu %lu %lu", (unsigned long)card, (unsigned long)share, (unsigned long)protocols);
  add(&line, " %lu", (unsigned long)initialization);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) *protocol = (DWORD)number(&answer);
  return done(&answer, code);
}

static LONG about_card(const char *call, SCARDHANDLE card, DWORD disposition) {
  Line line = begin(call);
  add(&line, " %lu %lu", (unsigned long)card, (unsigned long)disposition);
  return simple(line);
}

CALL SCardDisconnect(SCARDHANDLE card, DWORD disposition) { return about_card("disconnect", card, disposition); }
CALL SCardBeginTransaction(SCARDHANDLE card) { return about("begin", (unsigned long)card); }
CALL SCardEndTransaction(SCARDHANDLE card, DWORD disposition) { return about_card("end", card, disposition); }

static LONG status(SCARDHANDLE card, void *name, LPDWORD name_room, LPDWORD state, LPDWORD protocol, LPBYTE atr,
                   LPDWORD atr_room, Width width) {
  Answer answer;
  Line line = begin("status");
  add(&line, " %lu", (unsigned long)card);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    char *names = field(&answer);
    size_t length = unhex(names);
    unsigned long is = number(&answer);
    unsigned long speaks = number(&answer);
    char *bytes = field(&answer);
    size_t count = unhex(bytes);
    if (state) *state = (DWORD)is;
    if (protocol) *protocol = (DWORD)speaks;
    code = hand_out_text(names, length, name, name_room, width);
    LONG other = hand_out(bytes, count, 1, atr, atr_room);
    if (code == SCARD_S_SUCCESS) code = other;
  }
  return done(&answer, code);
}

CALL SCardTransmit(SCARDHANDLE card, LPCSCARD_IO_REQUEST send_pci, LPCBYTE sent, DWORD sent_length,
                   LPSCARD_IO_REQUEST received_pci, LPBYTE received, LPDWORD received_length) {
  if (!sent || !received || !received_length) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("transmit");
  add(&line, " %lu %lu", (unsigned long)card, send_pci ? (unsigned long)send_pci->dwProtocol : 0UL);
  add_bytes(&line, sent, sent_length);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    char *bytes = field(&answer);
    size_t count = unhex(bytes);
    code = hand_out(bytes, count, 1, received, received_length);
    if (received_pci && send_pci) received_pci->dwProtocol = send_pci->dwProtocol;
  }
  return done(&answer, code);
}

CALL SCardControl(SCARDHANDLE card, DWORD control, LPCVOID sent, DWORD sent_length, LPVOID received, DWORD room,
                  LPDWORD received_length) {
  Answer answer;
  Line line = begin("control");
  add(&line, " %lu %lu", (unsigned long)card, (unsigned long)control);
  add_bytes(&line, sent ? sent : "", sent ? sent_length : 0);
  if (received_length) *received_length = 0;
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    char *bytes = field(&answer);
    size_t count = unhex(bytes);
    if (count > room) code = CODE(SCARD_E_INSUFFICIENT_BUFFER);
    else if (count) memcpy(received, bytes, count);
    if (received_length) *received_length = (DWORD)count;
  }
  return done(&answer, code);
}

CALL SCardGetAttrib(SCARDHANDLE card, DWORD attribute, LPBYTE to, LPDWORD room) {
  if (!room) return CODE(SCARD_E_INVALID_PARAMETER);
  Answer answer;
  Line line = begin("get-attribute");
  add(&line, " %lu %lu", (unsigned long)card, (unsigned long)attribute);
  LONG code = answered(line, &answer);
  if (code == SCARD_S_SUCCESS) {
    char *bytes = field(&answer);
    size_t count = unhex(bytes);
    code = hand_out(bytes, count, 1, to, room);
  }
  return done(&answer, code);
}

CALL SCardSetAttrib(SCARDHANDLE card, DWORD attribute, LPCBYTE bytes, DWORD count) {
  Line line = begin("set-attribute");
  add(&line, " %lu %lu", (unsigned long)card, (unsigned long)attribute);
  add_bytes(&line, bytes ? bytes : (LPCBYTE) "", bytes ? count : 0);
  return simple(line);
}

/* ---- what differs by system: names ---- */

#ifdef _WIN32

CALL SCardListReadersA(SCARDCONTEXT context, LPCSTR groups, LPSTR readers, LPDWORD room) {
  (void)groups;
  return list_readers(context, readers, room, NARROW);
}
CALL SCardListReadersW(SCARDCONTEXT context, LPCWSTR groups, LPWSTR readers, LPDWORD room) {
  (void)groups;
  return list_readers(context, readers, room, WIDE);
}
CALL SCardListReaderGroupsA(SCARDCONTEXT context, LPSTR groups, LPDWORD room) {
  (void)context;
  return list_groups(groups, room, NARROW);
}
CALL SCardListReaderGroupsW(SCARDCONTEXT context, LPWSTR groups, LPDWORD room) {
  (void)context;
  return list_groups(groups, room, WIDE);
}
CALL SCardGetStatusChangeA(SCARDCONTEXT context, DWORD timeout, LPSCARD_READERSTATEA states, DWORD count) {
  return status_change(context, timeout, states, count, NARROW);
}
CALL SCardGetStatusChangeW(SCARDCONTEXT context, DWORD timeout, LPSCARD_READERSTATEW states, DWORD count) {
  _Static_assert(sizeof(SCARD_READERSTATEW) == sizeof(SCARD_READERSTATEA), "states of both widths lie alike");
  return status_change(context, timeout, (State *)states, count, WIDE);
}
CALL SCardConnectA(SCARDCONTEXT context, LPCSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE card,
                   LPDWORD protocol) {
  return connect_card(context, reader, share, protocols, card, protocol, NARROW);
}
CALL SCardConnectW(SCARDCONTEXT context, LPCWSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE card,
                   LPDWORD protocol) {
  return connect_card(context, reader, share, protocols, card, protocol, WIDE);
}
CALL SCardStatusA(SCARDHANDLE card, LPSTR name, LPDWORD name_room, LPDWORD state, LPDWORD protocol, LPBYTE atr,
                  LPDWORD atr_room) {
  return status(card, name, name_room, state, protocol, atr, atr_room, NARROW);
}
CALL SCardStatusW(SCARDHANDLE card, LPWSTR name, LPDWORD name_room, LPDWORD state, LPDWORD protocol, LPBYTE atr,
                  LPDWORD atr_room) {
  return status(card, name, name_room, state, protocol, atr, atr_room, WIDE);
}

/* The event is set as long as the process lives: the service of a test has always been started. */
WINSCARDAPI HANDLE WINAPI SCardAccessStartedEvent(void) {
  static HANDLE started;
  if (!started) started = CreateEventW(NULL, TRUE, TRUE, NULL);
  return started;
}
WINSCARDAPI void WINAPI SCardReleaseStartedEvent(void) {}

#else

CALL SCardListReaders(SCARDCONTEXT context, LPCSTR groups, LPSTR readers, LPDWORD room) {
  (void)groups;
  return list_readers(context, readers, room, NARROW);
}
CALL SCardListReaderGroups(SCARDCONTEXT context, LPSTR groups, LPDWORD room) {
  (void)context;
  return list_groups(groups, room, NARROW);
}
CALL SCardGetStatusChange(SCARDCONTEXT context, DWORD timeout, SCARD_READERSTATE *states, DWORD count) {
  return status_change(context, timeout, states, count, NARROW);
}
CALL SCardConnect(SCARDCONTEXT context, LPCSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE card,
                  LPDWORD protocol) {
  return connect_card(context, reader, share, protocols, card, protocol, NARROW);
}
CALL SCardStatus(SCARDHANDLE card, LPSTR name, LPDWORD name_room, LPDWORD state, LPDWORD protocol, LPBYTE atr,
                 LPDWORD atr_room) {
  return status(card, name, name_room, state, protocol, atr, atr_room, NARROW);
}

const char *pcsc_stringify_error(const LONG code) {
  static __thread char text[32];
  snprintf(text, sizeof text, "0x%08lX", (unsigned long)code & 0xFFFFFFFFUL);
  return text;
}

#endif
