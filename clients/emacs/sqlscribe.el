;;; sqlscribe.el --- Ask questions in SQL comments, with eglot  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Optional: eglot needs one line to know the server, and its own commands do most of it.
;; This file is that line, and commands that never wait for a model: answers arrive as edits
;; while you type on.
;;
;;   (add-to-list 'load-path "~/src/sqlscribe/clients/emacs")
;;   (require 'sqlscribe)
;;   (add-hook 'sql-mode-hook #'eglot-ensure)

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'url-util)

(defgroup sqlscribe nil
  "Checked SQL for questions in comments."
  :group 'sql)

(defcustom sqlscribe-command '("sqlscribe" "serve")
  "How the server is started."
  :type '(repeat string))

(add-to-list 'eglot-server-programs
             (cons 'sql-mode (lambda (&rest _) sqlscribe-command)))

(defun sqlscribe--server ()
  "The server of this buffer; an error where there is none."
  (or (eglot-current-server)
      (user-error "No server is attached to this buffer: M-x eglot")))

(defun sqlscribe--request (method params done)
  "Send METHOD with PARAMS, without waiting; DONE gets the result.
What Emacs has not told the server of the text goes first."
  (let ((buffer (current-buffer)))
    (eglot--signal-textDocument/didChange)
    (jsonrpc-async-request
     (sqlscribe--server) method params
     :success-fn (lambda (result)
                   (when (buffer-live-p buffer)
                     (with-current-buffer buffer (funcall done result))))
     :error-fn (cl-function
                (lambda (&key message &allow-other-keys)
                  (message "SQLScribe: %s" message))))
    nil))

(defun sqlscribe--execute (command &rest more)
  "Start COMMAND of the server at point; MORE are further keys of its target.
Its edit comes later, as `workspace/applyEdit'."
  (sqlscribe--server)
  (sqlscribe--request
   :workspace/executeCommand
   (list :command command
         :arguments (vector (append (eglot--TextDocumentPositionParams) more)))
   #'ignore))

(defun sqlscribe-ask (&optional regenerate)
  "Answer the question, the refinement or the error comment at point.
With a prefix argument ask the model though there is an answer: REGENERATE."
  (interactive "P")
  (sqlscribe--execute "sqlscribe.answer" :regenerate (if regenerate t :json-false)))

(defun sqlscribe-stop ()
  "Stop everything that waits for a model."
  (interactive)
  (sqlscribe--execute "sqlscribe.cancel"))

(defun sqlscribe-save (&optional replace)
  "Save the answer at point as a verified example.
With a prefix argument REPLACE the one that its question has."
  (interactive "P")
  (sqlscribe--execute "sqlscribe.saveExample" :replace (if replace t :json-false)))

(defun sqlscribe-accept ()
  "Keep the stale answer at point as it is."
  (interactive)
  (sqlscribe--execute "sqlscribe.acceptAnswer"))

(defun sqlscribe-explain ()
  "Explain the statement at point in a comment above it."
  (interactive)
  (sqlscribe--execute "sqlscribe.explain"))

(defun sqlscribe-write-question ()
  "Write the question that the statement at point answers."
  (interactive)
  (sqlscribe--execute "sqlscribe.writeQuestion"))

(defun sqlscribe-format ()
  "Lay the statement at point out in lines."
  (interactive)
  (sqlscribe--execute "sqlscribe.format"))

(defconst sqlscribe--dialects
  '("bigquery" "clickhouse" "databricks" "duckdb" "mysql" "oracle" "postgres"
    "redshift" "snowflake" "spark" "sqlite" "trino" "tsql")
  "What most people convert to; the server takes every dialect of sqlglot.")

(defun sqlscribe-convert (dialect)
  "Convert the statement at point to DIALECT."
  (interactive
   (list (completing-read "Convert to: " sqlscribe--dialects)))
  (sqlscribe--execute "sqlscribe.convert" :to dialect))

(defun sqlscribe--lenses (done)
  "Give DONE the line and the lenses of the question at point or above."
  (let ((line (1- (line-number-at-pos nil t))))
    (sqlscribe--request
     :textDocument/codeLens (list :textDocument (eglot--TextDocumentIdentifier))
     (lambda (lenses)
       (let* ((start (lambda (lens)
                       (plist-get (plist-get (plist-get lens :range) :start) :line)))
              (above (cl-remove-if (lambda (lens) (> (funcall start lens) line)) lenses))
              (last (cl-reduce #'max above :key start :initial-value -1)))
         (if (< last 0)
             (message "SQLScribe: there is no question here")
           (funcall done last (cl-remove last above :key start :test-not #'eql))))))))

(defun sqlscribe-state ()
  "Tell the state of the answer at point: checked, findings, stale, verified.
Other editors show it as a code lens, which eglot does not know."
  (interactive)
  (sqlscribe--lenses
   (lambda (_ lenses)
     (sqlscribe--request
      :codeLens/resolve (seq-elt lenses 0)
      (lambda (lens)
        (message "SQLScribe: %s" (plist-get (plist-get lens :command) :title)))))))

(defun sqlscribe-preview ()
  "Show the whole prompt of the question at point, before anything is sent."
  (interactive)
  (sqlscribe--lenses
   (lambda (line _)
     (let ((uri (format "sqlscribe-prompt:/prompt.md?uri=%s&line=%d"
                        (url-hexify-string
                         (plist-get (eglot--TextDocumentIdentifier) :uri))
                        line)))
       (sqlscribe--request
        :workspace/textDocumentContent (list :uri uri)
        (lambda (result)
          (with-current-buffer (get-buffer-create "*SQLScribe prompt*")
            (let ((inhibit-read-only t))
              (erase-buffer)
              (insert (plist-get result :text)))
            (goto-char (point-min))
            (view-mode 1)
            (display-buffer (current-buffer)))))))))

(provide 'sqlscribe)
;;; sqlscribe.el ends here
