/** The choice of the language in which this browser shows the admin console. */
import { languageNames, languages } from '../../languages/catalogs.ts'
import { Select } from '../frame/fields.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

/** `chosen`: empty where the browser's own languages decide. */
export const LanguageForm = ({ chosen }: { readonly chosen: string }) => {
  const texts = readTexts().account.language
  return (
    <>
      <h2>{texts.title}</h2>
      <PostForm to="account/language" button={texts.button}>
        <Select
          name="language"
          label={texts.label}
          hint={texts.hint}
          value={chosen}
          options={[
            { value: '', text: texts.ofBrowser },
            ...languages.map((value) => ({ value, text: languageNames[value] })),
          ]}
        />
      </PostForm>
    </>
  )
}
