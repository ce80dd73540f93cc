/** The screens of devices. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addDeviceChanges } from './change-device.tsx'
import { addManyDeviceChanges } from './change-devices.tsx'
import { addDevice } from './device.tsx'
import { addDeviceChangeList } from './device-changes.tsx'
import { addTagForm } from './edit-tags.tsx'
import { addTagImport } from './import-tags.tsx'
import { addDeviceList } from './list.tsx'

export function addDevices(
  pages: PageApp,
  services: Pick<Services, 'settings' | 'clock' | 'random' | 'uptime' | 'allowLongBody'>,
): void {
  addDeviceList(pages)
  addManyDeviceChanges(pages, services)
  addDeviceChangeList(pages)
  addTagImport(pages, services)
  addDevice(pages, services)
  addTagForm(pages)
  addDeviceChanges(pages, services)
}
