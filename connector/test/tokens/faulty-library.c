/* A PKCS #11 library with one token, one certificate and one key, that fails where the file FAULT_FILE says: "C_Sign crash". */
#include <p11-kit/pkcs11.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define pause() Sleep(1000)
#else
#include <unistd.h>
#endif

static unsigned char certificate[16384];
static CK_ULONG certificate_length;

static char behaviour[64];

/* Whether a count or length is to be a lie. */
static int lies(const char *function)
{
  char name[64] = "";
  behaviour[0] = 0;
  FILE *file = fopen(FAULT_FILE, "r");
  if (!file) return 0;
  if (fscanf(file, "%63s %63s", name, behaviour) != 2) name[0] = 0;
  fclose(file);
  if (strcmp(name, function)) {
    behaviour[0] = 0;
    return 0;
  }
  if (!strcmp(behaviour, "crash")) *(volatile int *)0 = 1;
  if (!strcmp(behaviour, "hang")) for (;;) pause();
  if (!strcmp(behaviour, "exit")) _exit(0);
  if (!strcmp(behaviour, "write")) {
    fputs("a line of the library\nand one without an end {\"type\":", stdout);
    fflush(stdout);
  }
  return !strcmp(behaviour, "lie");
}

/* More than any memory here, and not the -1 of what is not there. */
static const CK_ULONG huge = (CK_ULONG)1 << (8 * sizeof(CK_ULONG) - 2);

static void fill(unsigned char *place, size_t length, const char *text)
{
  memset(place, ' ', length);
  memcpy(place, text, strlen(text));
}

static CK_RV initialize(void *arguments)
{
  FILE *file = fopen(CERTIFICATE_FILE, "rb");
  certificate_length = file ? fread(certificate, 1, sizeof certificate, file) : 0;
  if (file) fclose(file);
  lies("C_Initialize");
  return CKR_OK;
}

static CK_RV get_slot_list(unsigned char present, CK_SLOT_ID *list, CK_ULONG *count)
{
  *count = lies("C_GetSlotList") ? huge : 1;
  if (list) list[0] = 7;
  return CKR_OK;
}

static CK_RV get_slot_info(CK_SLOT_ID slot, CK_SLOT_INFO *info)
{
  lies("C_GetSlotInfo");
  memset(info, 0, sizeof *info);
  fill(info->slotDescription, sizeof info->slotDescription, "A slot");
  info->flags = CKF_TOKEN_PRESENT;
  return CKR_OK;
}

static CK_RV get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *info)
{
  int is_lie = lies("C_GetTokenInfo");
  memset(info, is_lie ? 0xff : 0, sizeof *info);
  fill(info->label, sizeof info->label, "Faulty");
  info->flags = CKF_TOKEN_INITIALIZED | CKF_LOGIN_REQUIRED;
  if (!strcmp(behaviour, "final")) info->flags |= CKF_USER_PIN_FINAL_TRY;
  if (!strcmp(behaviour, "locked")) info->flags |= CKF_USER_PIN_LOCKED;
  if (!strcmp(behaviour, "pad")) info->flags |= CKF_PROTECTED_AUTHENTICATION_PATH;
  if (!strcmp(behaviour, "open")) info->flags &= ~CKF_LOGIN_REQUIRED;
  return CKR_OK;
}

static CK_RV get_mechanism_list(CK_SLOT_ID slot, CK_MECHANISM_TYPE *list, CK_ULONG *count)
{
  *count = lies("C_GetMechanismList") ? huge : 1;
  if (list) list[0] = CKM_RSA_PKCS;
  return CKR_OK;
}

static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, void *data, CK_NOTIFY notify, CK_SESSION_HANDLE *session)
{
  lies("C_OpenSession");
  *session = 1;
  return CKR_OK;
}

static CK_RV close_session(CK_SESSION_HANDLE session)
{
  lies("C_CloseSession");
  return CKR_OK;
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, unsigned char *pin, CK_ULONG length)
{
  lies("C_Login");
  /* A PIN that is typed at the token, or the one of the tests. */
  return !pin || (length == 4 && !memcmp(pin, "1234", 4)) ? CKR_OK : CKR_PIN_INCORRECT;
}

static CK_RV logout(CK_SESSION_HANDLE session)
{
  lies("C_Logout");
  return CKR_OK;
}

static CK_OBJECT_HANDLE found;

static CK_RV find_objects_init(CK_SESSION_HANDLE session, CK_ATTRIBUTE *template, CK_ULONG count)
{
  found = *(CK_ULONG *)template[0].pValue;
  return CKR_OK;
}

static CK_RV find_objects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects, CK_ULONG max, CK_ULONG *count)
{
  objects[0] = found;
  *count = lies("C_FindObjects") ? huge : 1;
  return CKR_OK;
}

static CK_RV find_objects_final(CK_SESSION_HANDLE session)
{
  return CKR_OK;
}

static CK_RV get_attribute_value(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template, CK_ULONG count)
{
  static unsigned char id[] = {0xc1};
  static CK_ULONG zero = 0;
  int is_lie = lies("C_GetAttributeValue");
  int is_growing = lies("growing");
  CK_RV result = CKR_OK;
  for (CK_ULONG at = 0; at < count; at++) {
    CK_ATTRIBUTE *one = &template[at];
    void *value = NULL;
    CK_ULONG length = 0;
    if (one->type == CKA_ID) value = id, length = sizeof id;
    if (one->type == CKA_CERTIFICATE_TYPE) value = &zero, length = sizeof zero;
    if (one->type == CKA_VALUE) value = certificate, length = certificate_length;
    if (!value) {
      one->ulValueLen = CK_UNAVAILABLE_INFORMATION;
      result = CKR_ATTRIBUTE_TYPE_INVALID;
      continue;
    }
    if (one->pValue) memcpy(one->pValue, value, length);
    one->ulValueLen = is_lie || (is_growing && one->pValue) ? huge : length;
  }
  return result;
}

static CK_RV sign_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key)
{
  lies("C_SignInit");
  return CKR_OK;
}

static CK_RV sign(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG length, unsigned char *signature, CK_ULONG *signature_length)
{
  memset(signature, 0, 256);
  *signature_length = lies("C_Sign") ? huge : 256;
  return CKR_OK;
}

static CK_FUNCTION_LIST functions = {
  .version = {2, 40},
  .C_Initialize = initialize,
  .C_GetSlotList = get_slot_list,
  .C_GetSlotInfo = get_slot_info,
  .C_GetTokenInfo = get_token_info,
  .C_GetMechanismList = get_mechanism_list,
  .C_OpenSession = open_session,
  .C_CloseSession = close_session,
  .C_Login = login,
  .C_Logout = logout,
  .C_FindObjectsInit = find_objects_init,
  .C_FindObjects = find_objects,
  .C_FindObjectsFinal = find_objects_final,
  .C_GetAttributeValue = get_attribute_value,
  .C_SignInit = sign_init,
  .C_Sign = sign,
};

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list)
{
  lies("C_GetFunctionList");
  *list = &functions;
  return CKR_OK;
}
