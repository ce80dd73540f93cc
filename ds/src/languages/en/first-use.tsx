/** The texts of the first steps. */

export const firstUse = {
  title: 'First steps',
}
