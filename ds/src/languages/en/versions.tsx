/** The texts of the screens of versions. */

export const versions = {
  title: 'Versions',
}
