/** The texts of the screens of installers. */

export const installers = {
  title: 'Installers',
}
