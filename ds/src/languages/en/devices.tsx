/** The texts of the screens of devices. */

export const devices = {
  title: 'Devices',
}
