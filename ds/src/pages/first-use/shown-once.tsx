/** A key that the service shows once, with the way on. */
import { Copyable } from '../frame/parts.tsx'

export const ShownOnce = ({
  id,
  name,
  secret,
  purpose,
}: {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly purpose: string
}) => (
  <>
    <div class="warning">
      <p>
        <strong>{name}</strong>, shown only now: the service keeps no copy. Put it where you keep
        passwords.
      </p>
      <p>
        <Copyable id={id} text={secret} name={name} />
      </p>
    </div>
    <p>{purpose}</p>
    <div class="actions">
      <a class="button" href="first-use">
        Go on
      </a>
    </div>
  </>
)
