/** What the decorators of the X.509 library need; a file of its own, or a bundle loads it behind the library. */
import 'reflect-metadata'
