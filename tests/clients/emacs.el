;; Waits for a diagnostic of the server, and writes what Flymake shows of it.
(defun tsvd-check-write-shown ()
  (with-current-buffer "audit.rs"
    (let ((found (flymake-diagnostics)))
      (when found
        (with-temp-file "/srv/shown.txt"
          (dolist (it found)
            (insert (format "%s:%d: %s\n" "audit.rs"
                            (with-current-buffer "audit.rs" (line-number-at-pos (flymake-diagnostic-beg it)))
                            (flymake-diagnostic-text it)))))))))
(run-with-timer 1 0.5 #'tsvd-check-write-shown)
