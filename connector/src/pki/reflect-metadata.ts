/** Loads what the decorators of the X.509 library need, in a file of its own: a bundle would load it after the library. */
import 'reflect-metadata'
