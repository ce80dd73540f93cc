/** The texts of the screens of configurations. */

export const configurations = {
  title: 'Configurations',
}
