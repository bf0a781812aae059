import { build } from './build.ts';

/** Asks before something that cannot be undone. The quiet answer has the focus, and Escape gives it. */
export function askToConfirm(title: string, text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog: HTMLDialogElement = build(
      'dialog',
      { 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-text' },
      build('h2', { id: 'confirm-title' }, title),
      build('p', { id: 'confirm-text' }, text),
      build(
        'div',
        { class: 'actions' },
        build('button', { type: 'button', autofocus: true, run: () => dialog.close('') }, 'Cancel'),
        build('button', { type: 'button', class: 'primary', run: () => dialog.close('yes') }, action),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
