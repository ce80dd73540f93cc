/*
 * In the place of the connector: writes its arguments into runs.txt beside it, and the folder of the machine that it is given into
 * folder.txt; its n-th run ends with the n-th code of codes.txt.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int count, char **arguments) {
  char folder[MAX_PATH], path[2 * MAX_PATH];
  int runs = 0, code = -1;
  GetModuleFileNameA(NULL, folder, MAX_PATH);
  *strrchr(folder, '\\') = 0;
  snprintf(path, sizeof path, "%s\\runs.txt", folder);
  FILE *file = fopen(path, "a+");
  for (int byte; (byte = fgetc(file)) != EOF;) runs += byte == '\n';
  fseek(file, 0, SEEK_END);
  for (int i = 1; i < count; i++) fprintf(file, "%s%s", i > 1 ? " " : "", arguments[i]);
  fputc('\n', file);
  fclose(file);
  const char *machine = getenv("CARDWIRE_MACHINE_DIR");
  snprintf(path, sizeof path, "%s\\folder.txt", folder);
  file = fopen(path, "w");
  fputs(machine ? machine : "", file);
  fclose(file);
  snprintf(path, sizeof path, "%s\\codes.txt", folder);
  file = fopen(path, "r");
  for (int i = 0; i <= runs; i++)
    if (fscanf(file, "%d", &code) != 1) code = -1;
  fclose(file);
  /* Without a code of its own it runs on. */
  if (code < 0) Sleep(INFINITE);
  return code;
}
