;;; desk.el --- A person at a real Emacs, in batch  -*- lexical-binding: t -*-

;; Run as `emacs --batch -l desk.el', with the scenario and the place of its result in the
;; environment. A scenario presses what a person presses, and notes what is there afterwards.

(require 'cl-lib)
(require 'json)
(require 'sql)

;; An Emacs with a screen does this by itself.
(package-activate-all)

(defvar desk-result nil "What the scenario has seen: an alist of names.")
(defvar desk-asked nil "What Emacs asked the person, newest first.")
(defvar desk-said nil "What Emacs said, newest first.")

(defun desk-note (name value)
  (push (cons name value) desk-result))

(defun desk-wait (what condition)
  "Until CONDITION holds, let Emacs go on; an error about WHAT after thirty seconds."
  (let ((until (+ (float-time) 30)) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) until)
        (error "Waited in vain for %s; was told: %S" what desk-said))
      (accept-process-output nil 0.05))
    found))

(defun desk-text () (buffer-substring-no-properties (point-min) (point-max)))

(defun desk-wait-text (words)
  (desk-wait words (lambda () (and (string-search words (desk-text)) (desk-text)))))

(defun desk-go (words)
  (goto-char (point-min))
  (search-forward words)
  (goto-char (match-beginning 0)))

(defun desk-has-said (words)
  (desk-wait words
             (lambda () (cl-find-if (lambda (said) (string-search words said)) desk-said))))

(defun desk-marked (finding)
  "The words that FINDING of flymake marks."
  (buffer-substring-no-properties (flymake-diagnostic-beg finding)
                                  (flymake-diagnostic-end finding)))

(defun desk-idle ()
  "What Emacs does in the first idle moment, of which a batch has none."
  (eglot--signal-textDocument/didChange)
  (flymake-start))

(defun desk-type (text)
  "Type TEXT at point and pause."
  (insert text)
  (desk-idle))

(defun desk-act (title)
  "Take TITLE from the menu of code actions at point; the titles that were there."
  (let (menu)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ choices &rest _)
                 (setq menu (mapcar #'car choices))
                 (or (cl-find-if (lambda (each) (string-prefix-p title each)) menu)
                     (error "%s is not among %S" title menu))))
              (last-nonmenu-event ?x))
      (call-interactively #'eglot-code-actions))
    menu))

(defun desk-open (file)
  "Visit FILE as a person does, and wait for the server."
  (find-file file)
  (switch-to-buffer (current-buffer))
  (run-hooks 'post-command-hook)
  (desk-wait "the server" (lambda () (and (fboundp 'eglot-managed-p) (eglot-managed-p)))))

(advice-add 'message :before
            (lambda (format &rest arguments)
              (when format (push (apply #'format format arguments) desk-said))))
(advice-add 'y-or-n-p :override (lambda (prompt) (push prompt desk-asked) t))

(defun desk-main ()
  (let ((code 1))
    (condition-case problem
        (progn
          (load (getenv "RECIPE") nil t)
          (load (getenv "SCENARIO") nil t)
          (setq code 0))
      (error (desk-note 'error (format "%S" problem))))
    (desk-note 'said (vconcat (reverse desk-said)))
    (desk-note 'asked (vconcat (reverse desk-asked)))
    (with-temp-file (getenv "RESULT")
      (insert (json-encode desk-result)))
    (kill-emacs code)))

(desk-main)
;;; desk.el ends here
