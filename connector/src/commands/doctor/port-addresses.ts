/** Checks that both loopback addresses of a port lead to the connector: a program that has one could pass on what it gets to the other. */
import type { Explanation } from '../../registry/port-conflict.ts'
import { formatHolder } from '../../system/port-holder.ts'
import { findPortOwners, type PortOwner } from '../../system/port-owner.ts'
import { hasAddress } from '../../system/server.ts'

/** `answersOnSix`: whether the connector answers on ::1 too. */
export async function explainAddresses(
  port: number,
  answersOnSix: () => Promise<boolean>,
): Promise<Explanation | undefined> {
  const { '127.0.0.1': four, '::1': six } = await findPortOwners(port)
  if (four && six && !isSame(four, six)) {
    const [onFour, onSix] = await Promise.all([formatHolder(four), formatHolder(six)])
    return {
      what: `two programs use port ${port}: ${onFour} on 127.0.0.1, and ${onSix} on ::1`,
      todo: 'end the one that is not Cardwire',
    }
  }
  if (!hasAddress('::1') || (await answersOnSix())) return undefined
  const holder = await formatHolder(six)
  return {
    what: `Cardwire is not responding on ::1, port ${port}${holder === undefined ? '' : `, which ${holder} uses`}`,
    todo: 'end the program that uses it, and start Cardwire again',
  }
}

const isSame = (one: PortOwner, other: PortOwner) =>
  one.user === other.user &&
  (one.program === undefined ||
    other.program === undefined ||
    one.program.pid === other.program.pid)
