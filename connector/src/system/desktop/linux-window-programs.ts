/** The programs that ask the user something on Linux. */
import type { Programs } from './programs.ts'

/**
 * In the order in which they are tried. A pinentry reads all texts from standard input; zenity and kdialog have them as arguments,
 * which every account of the machine can read.
 */
const gnomeFirst = [
  'pinentry-gnome3',
  'pinentry-gtk-2',
  'pinentry-qt',
  'pinentry-qt5',
  'pinentry-fltk',
  'pinentry-x11',
  'pinentry',
  'zenity',
  'kdialog',
] as const
const kdeFirst = ['pinentry-qt', 'pinentry-qt5', ...gnomeFirst] as const

export interface WindowProgram {
  readonly kind: 'pinentry' | 'zenity' | 'kdialog'
  readonly path: string
}

/** Those that are installed. */
export function findWindowPrograms(
  environment: Readonly<Record<string, string | undefined>>,
  programs: Programs,
): readonly WindowProgram[] {
  const isKde = (environment['XDG_CURRENT_DESKTOP'] ?? '').split(':').includes('KDE')
  return (isKde ? kdeFirst : gnomeFirst).flatMap((name) => {
    const path = programs.find(name)
    const kind = name === 'zenity' || name === 'kdialog' ? name : 'pinentry'
    return path === undefined ? [] : [{ kind, path }]
  })
}

/** What GTK and Qt write where there is none; GTK then ends with 1, as for the cancel button. */
export const hasNoDisplay = (errors: string): boolean =>
  /cannot open display|could not connect to display/i.test(errors)
