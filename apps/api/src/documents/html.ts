/** Markup that is safe to send: every value was escaped when it was put in. */
export class Html {
  constructor(readonly text: string) {}
}

/** Builds markup; whatever is put in is escaped, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: (Html | Html[] | string | number)[]): Html {
  const parts = values.map((value, index) => render(value) + (strings[index + 1] ?? ''));
  return new Html((strings[0] ?? '') + parts.join(''));
}

function render(value: Html | Html[] | string | number): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
