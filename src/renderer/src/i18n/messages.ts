// ICU messages. Browser objects of a locale are made once: making them costs more than parsing a message.
import IntlMessageFormat from 'intl-messageformat'

/** @param values for the message's placeholders */
export type Message = (values?: Readonly<Record<string, string | number | boolean>>) => string

type Formatters = NonNullable<NonNullable<ConstructorParameters<typeof IntlMessageFormat>[3]>['formatters']>
type NumberArguments = ConstructorParameters<typeof Intl.NumberFormat>

const askBrowser = IntlMessageFormat.resolveLocale
const locales = new Map<string, ReturnType<typeof askBrowser>>()

// The library calls it again for each message.
IntlMessageFormat.resolveLocale = (wanted) => remembered(locales, String(wanted), () => askBrowser(wanted))

/** Parses messages. @param locale BCP 47 tag @throws SyntaxError when called with text that isn't an ICU message */
export function messageReader(locale: string): (source: string) => Message {
  const formatters = sharedFormatters()
  return (source) => {
    const message = new IntlMessageFormat(source, locale, undefined, { ignoreTag: true, formatters })
    return (values) => String(message.format(values))
  }
}

function sharedFormatters(): Formatters {
  const numbers = new Map<string, Intl.NumberFormat>()
  const dates = new Map<string, Intl.DateTimeFormat>()
  const plurals = new Map<string, Intl.PluralRules>()
  return {
    getNumberFormat: (...args) =>
      remembered(numbers, JSON.stringify(args), () => new Intl.NumberFormat(...(args as NumberArguments))),
    getDateTimeFormat: (...args) => remembered(dates, JSON.stringify(args), () => new Intl.DateTimeFormat(...args)),
    getPluralRules: (...args) => remembered(plurals, JSON.stringify(args), () => new Intl.PluralRules(...args)),
  }
}

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
