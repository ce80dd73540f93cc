/** The texts of the screens of applications, which the API calls labels. */

export const labels = {
  title: 'Applications',
}
