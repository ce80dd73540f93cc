/** The texts of the screen of rejected registrations. */

export const refusals = {
  title: 'Rejected registrations',
}
