import type { CaptchaPageData } from '../../server/wire/captcha.ts';

export type WidgetEvents = { onDone(): void; onExpired(): void; onFailed(): void };

/**
 * Puts the provider's widget into `place`: an element of the class that its script looks for, then the script.
 * The widget adds the token to the form around it as a field.
 */
export function mountWidget(
  place: HTMLElement,
  facts: CaptchaPageData,
  language: string,
  { onDone, onExpired, onFailed }: WidgetEvents,
): void {
  const widget = document.createElement('div');
  widget.className = facts.widget_class;
  widget.lang = language;
  // Turnstile, hCaptcha and reCAPTCHA call functions of the page by name; Friendly Captcha sends events.
  const callbacks = { callback: onDone, 'expired-callback': onExpired, 'error-callback': onFailed };
  for (const [attribute, run] of Object.entries(callbacks)) {
    const name = `gatehouse-${attribute}`.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    // True: the error is taken care of.
    Object.assign(window, {
      [name]: () => {
        run();
        return true;
      },
    });
    widget.setAttribute(`data-${attribute}`, name);
  }
  widget.addEventListener('frc:widget.complete', onDone);
  widget.addEventListener('frc:widget.expire', onExpired);
  widget.addEventListener('frc:widget.error', onFailed);
  for (const [name, value] of Object.entries({ sitekey: facts.site_key, ...facts.attributes })) {
    widget.setAttribute(`data-${name}`, value);
  }
  place.append(widget);

  const script = document.createElement('script');
  const url = new URL(facts.script_url);
  if (facts.language_parameter) url.searchParams.set(facts.language_parameter, language);
  if (facts.script_is_module) script.type = 'module';
  script.src = url.href;
  script.async = true;
  script.addEventListener('error', onFailed);
  document.head.append(script);
}
