/*
 * A reader with a key pad for pcscd: what its card answers, and what is typed on its pad, a test says over a connection to
 * 127.0.0.1. DEVICENAME is a file that exists, a colon and the port. Asked: a letter, two bytes of length, most significant first, and so many bytes; answered: the same without
 * the letter.
 *
 *   C  whether a card is there: a byte, or none       R  reset: its ATR
 *   T  a command: the card's answer
 *   V  the PIN_VERIFY structure: D and digits, or S and a status word of the reader
 *
 * The control code is one that no macro gives: whoever calls the feature has read it from the list of features.
 */
#include <arpa/inet.h>
#include <ifdhandler.h>
#include <netinet/tcp.h>
#include <reader.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define VERIFY_CONTROL_CODE 0x42330042
#define ROOM 65548

static int line = -1;

static int transfer(unsigned char *bytes, size_t count, int sends) {
  for (size_t at = 0; at < count;) {
    ssize_t done = sends ? send(line, bytes + at, count - at, MSG_NOSIGNAL) : recv(line, bytes + at, count - at, 0);
    if (done <= 0) return 0;
    at += (size_t)done;
  }
  return 1;
}

/* How many bytes were answered, at most `room`; -1 when nobody answers. */
static long ask(unsigned char letter, const unsigned char *sent, size_t count, unsigned char *answer, size_t room) {
  unsigned char head[3] = {letter, (unsigned char)(count >> 8), (unsigned char)count};
  if (!transfer(head, 3, 1) || !transfer((unsigned char *)sent, count, 1) || !transfer(head, 2, 0)) return -1;
  size_t length = (size_t)(head[0] << 8 | head[1]);
  return length <= room && transfer(answer, length, 0) ? (long)length : -1;
}

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR name) {
  (void)lun;
  const char *port = strchr(name, ':');
  if (!port) return IFD_NO_SUCH_DEVICE;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port + 1))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  line = socket(AF_INET, SOCK_STREAM, 0);
  /* Head and bytes are sent one after the other: the second would wait 40 ms for the delayed ACK of the first. */
  setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  return connect(line, (struct sockaddr *)&address, sizeof address) == 0 ? IFD_SUCCESS : IFD_NO_SUCH_DEVICE;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD channel) {
  (void)lun, (void)channel;
  return IFD_NOT_SUPPORTED;
}

RESPONSECODE IFDHCloseChannel(DWORD lun) {
  (void)lun;
  close(line);
  return IFD_SUCCESS;
}

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD length, PUCHAR value) {
  (void)lun;
  if (tag != TAG_IFD_SIMULTANEOUS_ACCESS && tag != TAG_IFD_SLOTS_NUMBER) return IFD_ERROR_TAG;
  *length = 1;
  *value = 1;
  return IFD_SUCCESS;
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, PUCHAR value) {
  (void)lun, (void)tag, (void)length, (void)value;
  return IFD_ERROR_TAG;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR a, UCHAR b, UCHAR c) {
  (void)lun, (void)protocol, (void)flags, (void)a, (void)b, (void)c;
  return IFD_SUCCESS;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD length) {
  (void)lun, (void)action;
  long count = ask('R', NULL, 0, atr, MAX_ATR_SIZE);
  *length = count > 0 ? (DWORD)count : 0;
  return count > 0 ? IFD_SUCCESS : IFD_ERROR_POWER_ACTION;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER to, PUCHAR sent, DWORD count, PUCHAR answer, PDWORD room,
                               PSCARD_IO_HEADER from) {
  (void)lun, (void)to, (void)from;
  long length = ask('T', sent, count, answer, *room);
  *room = length > 0 ? (DWORD)length : 0;
  return length > 0 ? IFD_SUCCESS : IFD_COMMUNICATION_ERROR;
}

RESPONSECODE IFDHICCPresence(DWORD lun) {
  (void)lun;
  unsigned char present;
  return ask('C', NULL, 0, &present, 1) == 1 ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}

/* Digits into the block of a VERIFY command: justified left, in ASCII or half bytes, positions in bytes (CCID 1.1 §6.1.11). */
static void fill_block(const PIN_VERIFY_STRUCTURE *pin, unsigned char *block, const unsigned char *digits, size_t count) {
  unsigned char *first = block + (pin->bmFormatString >> 3 & 0x0f);
  for (size_t at = 0; at < count; at++) {
    unsigned char digit = digits[at] - '0';
    if ((pin->bmFormatString & 3) == 2) first[at] = digits[at];
    else first[at / 2] = at % 2 ? (first[at / 2] & 0xf0) | digit : (digit << 4) | (first[at / 2] & 0x0f);
  }
  if (pin->bmPINBlockString >> 4 == 4 && (pin->bmPINLengthFormat & 0x1f) == 4)
    block[0] = (block[0] & 0xf0) | (unsigned char)count;
}

static RESPONSECODE verify(DWORD lun, PUCHAR sent, DWORD count, PUCHAR answer, DWORD room, LPDWORD length) {
  const PIN_VERIFY_STRUCTURE *pin = (const PIN_VERIFY_STRUCTURE *)sent;
  unsigned char typed[64], command[ROOM];
  if (count < sizeof *pin || count != sizeof *pin + pin->ulDataLength || room < 2) return IFD_COMMUNICATION_ERROR;
  long typed_count = ask('V', sent, count, typed, sizeof typed);
  if (typed_count < 1) return IFD_COMMUNICATION_ERROR;
  size_t digits = (size_t)typed_count - 1;
  *length = 2;
  if (typed[0] == 'S') {
    memcpy(answer, typed + 1, 2);
    return IFD_SUCCESS;
  }
  if (digits < pin->wPINMaxExtraDigit >> 8 || digits > (pin->wPINMaxExtraDigit & 0xff)) {
    memcpy(answer, "\x64\x03", 2);
    return IFD_SUCCESS;
  }
  memcpy(command, sent + sizeof *pin, pin->ulDataLength);
  DWORD length_sent = pin->ulDataLength;
  /* A block without a size is as long as what was typed. */
  if ((pin->bmPINBlockString & 0x0f) == 0) {
    command[4] = (unsigned char)digits;
    length_sent = 5 + digits;
  }
  fill_block(pin, command + 5, typed + 1, digits);
  DWORD taken = room;
  RESPONSECODE code = IFDHTransmitToICC(lun, (SCARD_IO_HEADER){0}, command, length_sent, answer, &taken, NULL);
  *length = taken;
  return code;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD code, PUCHAR sent, DWORD count, PUCHAR answer, DWORD room, LPDWORD length) {
  *length = 0;
  if (code == VERIFY_CONTROL_CODE) return verify(lun, sent, count, answer, room, length);
  if (code != CM_IOCTL_GET_FEATURE_REQUEST || room < sizeof(PCSC_TLV_STRUCTURE)) return IFD_NOT_SUPPORTED;
  PCSC_TLV_STRUCTURE feature = {FEATURE_VERIFY_PIN_DIRECT, 4, htonl(VERIFY_CONTROL_CODE)};
  memcpy(answer, &feature, sizeof feature);
  *length = sizeof feature;
  return IFD_SUCCESS;
}
